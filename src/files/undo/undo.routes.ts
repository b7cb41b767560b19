import type { FastifyInstance } from 'fastify'
import { visitOf } from '../../access/visit.routes.ts'
import type { Parts } from '../../server/parts.ts'
import { notFound } from '../../server/http/errors.ts'
import { urls } from '../../urls.ts'
import { UNDO } from '../file-calls.server.ts'
import { told } from '../change/change.routes.ts'
import { NO_UNDO, undoAct } from './undo.db.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Adds the route that takes an act on files back. */
export function addUndo(app: FastifyInstance, { db }: Parts): void {
  app.post<{ Params: { undo: string } }>(
    urls.undo(':undo'),
    { config: { right: 'changeFiles', program: UNDO } },
    (request) =>
      told(async () => {
        const { undo } = request.params
        if (!UUID.test(undo)) throw notFound(NO_UNDO)
        await undoAct(db, visitOf(request), undo)
      }),
  )
}
