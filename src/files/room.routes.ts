import type { FastifyInstance } from 'fastify'
import type { Gate } from '../access/gate.ts'
import type { Parts } from '../server/parts.ts'
import { addFileChanges } from './change/change.routes.ts'
import { addManyChanges } from './change/many.routes.ts'
import { addContent } from './content/content.routes.ts'
import type { FindNotes } from './file/paper-note.ts'
import { addFiles, type FindRelease } from './list/files.routes.ts'
import { addLook } from './look/look.routes.ts'
import { addMailedPapers } from './mailed/mailed-papers.routes.ts'
import { addTrash } from './trash/trash.routes.ts'
import { addUndo } from './undo/undo.routes.ts'
import { archiveSender, type SendArchive } from './zip/archive-sender.routes.ts'
import { addZip } from './zip/zip.routes.ts'

/** Adds the routes of files. Returns the function that sends archives, for other rooms. */
export function addFilesRoom(
  app: FastifyInstance,
  parts: Parts,
  gate: Gate,
  findRelease: FindRelease,
  findNotes: FindNotes,
): SendArchive {
  addFiles(app, parts, findRelease)
  addFileChanges(app, parts, gate)
  addManyChanges(app, parts, gate)
  addUndo(app, gate)
  addLook(app, parts, findNotes)
  addMailedPapers(app, parts)
  addTrash(app, parts)
  addContent(app, parts)
  const sendArchive = archiveSender(app, parts)
  addZip(app, parts, sendArchive)
  return sendArchive
}
