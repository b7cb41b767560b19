import type { FastifyInstance } from 'fastify'
import type { FindNotes } from '../files/file/paper-note.ts'
import type { Parts } from '../server/parts.ts'
import { addFiling } from './filing/filing.routes.ts'
import { addUploads } from './form/upload.routes.ts'
import { addUnsavedPiles } from './unsaved/unsaved-pile.routes.ts'
import { addPeriods } from './names/period.routes.ts'
import { addRenaming } from './names/rename.routes.ts'
import { addResolving } from './pile/resolve.routes.ts'
import { addPapers } from './papers/papers.routes.ts'
import { addSplitting } from './split/split.routes.ts'
import { addDirectUploads } from './transport/direct.routes.ts'
import { addSentFiles } from './transport/sent-file.routes.ts'
import { addTemporaryUploads } from './transport/temporary.routes.ts'
import { addTus } from './transport/tus.routes.ts'
import { addVersions } from './versions/versions.routes.ts'

/** Adds the routes of uploads. */
export function addUploadsRoom(app: FastifyInstance, parts: Parts, findNotes: FindNotes): void {
  addTemporaryUploads(app, parts)
  addSentFiles(app, parts)
  addTus(app, parts)
  addDirectUploads(app, parts)
  addResolving(app, parts)
  addPapers(app, parts)
  addUnsavedPiles(app, parts)
  addRenaming(app, parts)
  addPeriods(app, parts)
  addUploads(app, parts, findNotes)
  addFiling(app, parts)
  addSplitting(app, parts)
  addVersions(app, parts)
}
