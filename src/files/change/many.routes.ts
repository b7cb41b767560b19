import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Gate } from '../../access/gate.ts'
import { visitOf } from '../../access/visit.routes.ts'
import type { Parts } from '../../server/parts.ts'
import { removeBlob } from '../../server/storage/blobs.db.ts'
import { FORM_BYTES } from '../../server/http/forms/form-body.ts'
import { userOf } from '../../server/http/permit.ts'
import { requireFreshProof } from '../../server/http/fresh-proof.ts'
import { bodyIn, type ProgramCall } from '../../server/http/program-call.ts'
import { validate } from '../../server/http/validate.ts'
import { fileUrls, type Owner } from '../../urls.ts'
import {
  DELETE_FILES,
  MOVE_FILES,
  MOVE_USER_FILES,
  ofOwner,
  RESTORE_FILES,
} from '../calls/file-calls.server.ts'
import { MOST_AT_ONCE } from '../file/stored-file.ts'
import { removeFiles } from '../trash/trash.db.ts'
import { Many, MoveMany, PlaceMany } from '../calls/change-forms.server.ts'
import { deleteFiles, findTarget } from './change.db.ts'
import { ownerOf, answerChange, undoOf } from './change.routes.ts'
import { MOVE_ACT, RESTORE_ACT } from './file-acts.server.ts'
import { placeFiles } from './order.db.ts'

type Address = { Params: { project?: string; user?: string } }

/** Accepts somewhat too many files, so that the answer can say so. */
const room = { mostFields: 2 * MOST_AT_ONCE, bodyLimit: 50 * MOST_AT_ONCE + FORM_BYTES }
const change = {
  config: { right: 'changeFiles', mostFields: room.mostFields },
  bodyLimit: room.bodyLimit,
} as const
const remove = {
  config: { right: 'removeFiles', mostFields: room.mostFields },
  bodyLimit: room.bodyLimit,
} as const

const byPrograms = (program: ProgramCall) => ({ ...change, config: { ...change.config, program } })

/** Adds the routes that change many files of an owner at once. Each is one transaction, and all or nothing. */
export function addManyChanges(app: FastifyInstance, parts: Parts, gate: Gate): void {
  addManyOf(app, parts, gate, { project: ':project' })
  addManyOf(app, parts, gate, { user: ':user' })

  const paramsOf = async (
    request: FastifyRequest<Address>,
    { files, shares, rename, ...wanted }: z.infer<typeof MoveMany>,
  ) => ({
    owner: ownerOf(request),
    files,
    to: await findTarget(parts.db, userOf(request), wanted),
    ...(shares !== undefined && { shares }),
    ...(rename === true && { rename }),
  })
  const move = async (request: FastifyRequest<Address>, wanted: z.infer<typeof MoveMany>) =>
    undoOf(await gate.carryOut(visitOf(request), MOVE_ACT, await paramsOf(request, wanted)))
  app.post<Address>(fileUrls.many({ project: ':project' }, 'move'), byPrograms(MOVE_FILES), (request) =>
    answerChange(() => move(request, bodyIn(request, MOVE_FILES))),
  )
  app.post<Address>(fileUrls.many({ user: ':user' }, 'move'), byPrograms(MOVE_USER_FILES), (request) =>
    answerChange(() => move(request, bodyIn(request, MOVE_USER_FILES))),
  )

  const foresee = async (request: FastifyRequest<Address>) => {
    const params = await paramsOf(request, validate(MoveMany, request.body))
    return { asked: await gate.foresee(visitOf(request), MOVE_ACT, params) }
  }
  app.post<Address>(fileUrls.many({ project: ':project' }, 'foresee-move'), change, (request) =>
    foresee(request),
  )
  app.post<Address>(fileUrls.many({ user: ':user' }, 'foresee-move'), change, (request) => foresee(request))
}

function addManyOf(app: FastifyInstance, { db, storage }: Parts, gate: Gate, owner: Owner): void {
  app.post<Address>(fileUrls.many(owner, 'delete'), byPrograms(ofOwner(owner, DELETE_FILES)), (request) =>
    answerChange(async () => {
      const { files } = bodyIn(request, DELETE_FILES)
      return { undo: await deleteFiles(db, visitOf(request), ownerOf(request), files) }
    }),
  )
  app.post<Address>(fileUrls.many(owner, 'restore'), byPrograms(ofOwner(owner, RESTORE_FILES)), (request) =>
    answerChange(async () => {
      const { files } = bodyIn(request, RESTORE_FILES)
      return undoOf(await gate.carryOut(visitOf(request), RESTORE_ACT, { owner: ownerOf(request), files }))
    }),
  )
  app.post<Address>(fileUrls.many(owner, 'place'), change, (request) =>
    answerChange(async () => {
      const { files, to } = validate(PlaceMany, request.body)
      return { undo: await placeFiles(db, visitOf(request), ownerOf(request), files, to) }
    }),
  )
  app.post<Address>(fileUrls.many(owner, 'remove'), remove, (request) =>
    answerChange(async () => {
      requireFreshProof(request)
      const { files } = validate(Many, request.body)
      const blobs = await removeFiles(db, visitOf(request), ownerOf(request), files)
      // Does not wait for the bytes of many files. The next housekeeping removes the rest.
      void removeBlobs(blobs).catch((err: unknown) => request.log.error({ err }, 'bytes were not removed'))
    }),
  )

  async function removeBlobs(blobs: number[]): Promise<void> {
    for (const blob of blobs) await removeBlob(db, storage, blob)
  }
}
