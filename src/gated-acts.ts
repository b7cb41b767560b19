import { storedAct, type StoredAct } from './access/gate.ts'
import { MOVE_ACT, RESTORE_ACT, UNDO_ACT } from './files/change/file-acts.server.ts'
import { IMPORT_ACT } from './moving/sheet/import-act.server.ts'
import { ADD_MEMBERS_ACT } from './people/many/add-members.server.ts'
import {
  ADD_USER_ACT,
  CHANGE_LENDING_ACT,
  DEACTIVATE_ACT,
  LEND_ACT,
  REACTIVATE_ACT,
  RESET_FACTORS_ACT,
  SAVE_USER_ACT,
  UNLINK_ACT,
} from './people/user-acts.server.ts'
import { FOLDER_ACT, PROJECT_ACT } from './projects/project-acts.server.ts'
import { APPROVAL_ACT, UNDO_RECALL_ACT } from './releases/steps/release-acts.server.ts'

/** Every act that can wait for a colleague, by which a stored act is found when it is approved. */
export const GATED_ACTS: readonly StoredAct[] = [
  storedAct(MOVE_ACT),
  storedAct(RESTORE_ACT),
  storedAct(UNDO_ACT),
  storedAct(FOLDER_ACT),
  storedAct(PROJECT_ACT),
  storedAct(ADD_USER_ACT),
  storedAct(ADD_MEMBERS_ACT),
  storedAct(SAVE_USER_ACT),
  storedAct(REACTIVATE_ACT),
  storedAct(DEACTIVATE_ACT),
  storedAct(RESET_FACTORS_ACT),
  storedAct(UNLINK_ACT),
  storedAct(LEND_ACT),
  storedAct(CHANGE_LENDING_ACT),
  storedAct(UNDO_RECALL_ACT),
  storedAct(APPROVAL_ACT),
  storedAct(IMPORT_ACT),
]
