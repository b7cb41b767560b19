import { keptAct, type KeptAct } from './access/gate.ts'
import { MOVE_ACT, RESTORE_ACT, UNDO_ACT } from './files/change/file-acts.server.ts'
import { IMPORT_ACT } from './moving/sheet/import-act.server.ts'
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
export const GATED_ACTS: readonly KeptAct[] = [
  keptAct(MOVE_ACT),
  keptAct(RESTORE_ACT),
  keptAct(UNDO_ACT),
  keptAct(FOLDER_ACT),
  keptAct(PROJECT_ACT),
  keptAct(ADD_USER_ACT),
  keptAct(SAVE_USER_ACT),
  keptAct(REACTIVATE_ACT),
  keptAct(DEACTIVATE_ACT),
  keptAct(RESET_FACTORS_ACT),
  keptAct(UNLINK_ACT),
  keptAct(LEND_ACT),
  keptAct(CHANGE_LENDING_ACT),
  keptAct(UNDO_RECALL_ACT),
  keptAct(APPROVAL_ACT),
  keptAct(IMPORT_ACT),
]
