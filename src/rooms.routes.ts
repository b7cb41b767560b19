import type { FastifyInstance } from 'fastify'
import { addAccountsRoom } from './accounts/room.routes.ts'
import type { FindNotes } from './files/file/paper-note.ts'
import { addFilesRoom } from './files/room.routes.ts'
import { listVersions } from './files/versions/versions.db.ts'
import { addGallery } from './gallery/gallery.routes.ts'
import { GATED_ACTS } from './gated-acts.ts'
import { addHelp } from './help/help.routes.ts'
import { addInbox } from './inbox/inbox.routes.ts'
import { addIntakeContent } from './intake/intake-content.routes.ts'
import { addChanges } from './live/changes.routes.ts'
import { tellOfLowDisk } from './log/machine/disk-notice.db.ts'
import { addLog } from './log/log.routes.ts'
import { addFollowing } from './moving/sheet/follow.routes.ts'
import { addImport } from './moving/sheet/import.routes.ts'
import { addMoved } from './server/http/moved.routes.ts'
import type { OfficeSign } from './office/office-sign.server.ts'
import { addOffice } from './office/office.routes.ts'
import { addPeopleRoom } from './people/room.routes.ts'
import { addProgramsRoom } from './programs/room.routes.ts'
import { addFolders } from './projects/folders.routes.ts'
import { addNews } from './projects/news/news.routes.ts'
import { addProjects } from './projects/projects.routes.ts'
import { findReadingState } from './reading/reading-state.db.ts'
import { openGate } from './releases/approval/gate.db.ts'
import { setApproval } from './releases/steps/set-approval.routes.ts'
import { findFileReach, findProjectRelease } from './releases/figures.db.ts'
import { nameReleases } from './releases/release/release-name.db.ts'
import { addReleases } from './releases/releases.routes.ts'
import { addReport } from './report/report.routes.ts'
import { ownWords } from './search/own-words.routes.ts'
import { addSearchRoom } from './search/room.routes.ts'
import { addFaults } from './server/http/fault.routes.ts'
import { addHealth } from './server/http/health.routes.ts'
import type { Parts } from './server/parts.ts'
import { addStartRoom } from './start/room.routes.ts'
import { addUploadsRoom } from './uploads/room.routes.ts'
import { addStatus } from './watch/status.routes.ts'
import { findReceiptNotes } from './year/receipts/receipts.db.ts'
import { addYearRoom } from './year/room.routes.ts'

/** Adds the routes of every room. */
export function addRooms(app: FastifyInstance, parts: Parts, officeSign: OfficeSign): void {
  const { db } = parts
  const gate = openGate(parts)
  const findNotes: FindNotes = (reader, of, ids) => findReceiptNotes(db, reader, of, ids)
  addHealth(app, parts)
  addFaults(app)
  tellOfLowDisk(parts)
  addAccountsRoom(app, parts)
  addProjects(app, parts, gate)
  addFolders(app, parts, gate)
  addNews(app, parts)
  const sendArchive = addFilesRoom(app, parts, gate, (project) => findProjectRelease(db, project), findNotes)
  addUploadsRoom(app, parts, findNotes)
  addReleases(app, parts, gate, GATED_ACTS)
  addInbox(app, parts, findNotes)
  addIntakeContent(app, parts)
  addReport(app, parts)
  addPeopleRoom(app, parts, gate)
  addOffice(app, parts, officeSign, {
    reading: (reader) => findReadingState(db, reader, parts.config),
    setApproval: (request, isWanted) => setApproval(request, parts, gate, isWanted),
    words: ownWords(parts),
  })
  addLog(app, parts, {
    reach: (file) => findFileReach(db, file),
    versions: (reader, file) => listVersions(db, reader, file),
    releases: (ids) => nameReleases(db, ids),
  })
  addSearchRoom(app, parts)
  addYearRoom(app, parts, sendArchive)
  addImport(app, parts, gate)
  addFollowing(app, parts)
  addStartRoom(app, parts)
  addStatus(app, parts)
  addChanges(app, parts)
  addProgramsRoom(app, parts)
  addHelp(app)
  addMoved(app)
  if (parts.demo || parts.development) addGallery(app)
}
