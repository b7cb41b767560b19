import type { FastifyInstance } from 'fastify'
import type { Gate } from '../../access/gate.ts'
import { visitOf } from '../../access/visit.routes.ts'
import { notFound } from '../../server/http/errors.ts'
import { urls } from '../../urls.ts'
import { UNDO } from '../calls/file-calls.server.ts'
import { answerChange } from '../change/change.routes.ts'
import { UNDO_ACT } from '../change/file-acts.server.ts'
import { NO_UNDO } from './undo-act.db.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Adds the route that undoes an act on files, or withdraws one that still waits for a colleague. */
export function addUndo(app: FastifyInstance, gate: Gate): void {
  app.post<{ Params: { undo: string } }>(
    urls.undo(':undo'),
    { config: { right: 'changeFiles', program: UNDO } },
    (request) =>
      answerChange(async () => {
        const { undo } = request.params
        if (!UUID.test(undo)) throw notFound(NO_UNDO)
        const visit = visitOf(request)
        if (await gate.takeBack(visit, undo)) return {}
        const { asked } = await gate.carryOut(visit, UNDO_ACT, { undo })
        return asked ? { undo: asked.id, asked: asked.text } : {}
      }),
  )
}
