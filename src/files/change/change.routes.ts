import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Gate, Outcome } from '../../access/gate.ts'
import type { FileOwner, Visit } from '../../access/reader.ts'
import { visitOf } from '../../access/visit.routes.ts'
import type { Parts } from '../../server/parts.ts'
import { isCrossed, type Database } from '../../server/database/database.ts'
import { conflict, notFound, Refusal } from '../../server/http/errors.ts'
import { FORM_BYTES } from '../../server/http/forms/form-body.ts'
import { idIn } from '../../server/http/ids.ts'
import { bodyIn, type ProgramCall } from '../../server/http/program-call.ts'
import { validate } from '../../server/http/validate.ts'
import { fileUrls, urls, type Owner } from '../../urls.ts'
import { Move, MoveToPerson } from '../calls/change-forms.server.ts'
import { deleteFiles } from './change.db.ts'
import { MOVE_ACT, RESTORE_ACT } from './file-acts.server.ts'
import { MOST_SORTED, moveFileBy, sortFolder, updateOrder } from './order.db.ts'
import { DELETE_FILE, ofOwner, ORDER_FILES, RESTORE_FILE, SORT_FILES } from '../calls/file-calls.server.ts'

type Address = { Params: { project?: string; user?: string; file: string; folder: string } }
type Call = FastifyRequest<Address>

/** Adds the routes that change one file or the order of a folder: the same ones for projects and for people. */
export function addFileChanges(app: FastifyInstance, parts: Parts, gate: Gate): void {
  addChangesOf(app, parts, gate, { project: ':project' })
  addChangesOf(app, parts, gate, { user: ':user' })

  app.post<Address>(urls.moveFile(':project'), change, (request) =>
    answerChange(async () => {
      const { file_id: file, folder_id: folder, shares } = validate(Move, request.body)
      const project = idIn(request.params.project)
      const move = {
        owner: { project },
        files: [file],
        to: { project, folder },
        ...(shares !== undefined && { shares }),
      }
      return undoOf(await gate.carryOut(visitOf(request), MOVE_ACT, move))
    }),
  )

  app.post<Address>(urls.moveUserFile(':user'), change, (request) =>
    answerChange(async () => {
      const { file_id: file, user_id: to } = validate(MoveToPerson, request.body)
      const move = { owner: ownerOf(request), files: [file], to: { user: to } }
      return undoOf(await gate.carryOut(visitOf(request), MOVE_ACT, move))
    }),
  )
}

const change = { config: { right: 'changeFiles' } } as const
const byPrograms = (program: ProgramCall) => ({ config: { ...change.config, program } })
/** Leaves room for an id of ten digits and a comma for each file of a folder. */
const order = {
  config: { ...change.config, mostFields: MOST_SORTED + 100 },
  bodyLimit: 11 * MOST_SORTED + FORM_BYTES,
} as const

type Work = (db: Database, visit: Visit, owner: FileOwner, fileId: number) => Promise<ChangeAnswer>

function addChangesOf(app: FastifyInstance, { db }: Parts, gate: Gate, owner: Owner): void {
  /** Makes a handler that changes the file in the address. */
  const toFile = (work: Work) => (request: Call) =>
    answerChange(() => work(db, visitOf(request), ownerOf(request), idIn(request.params.file)))
  const step = (way: 'up' | 'down') =>
    toFile(async (...on) => {
      const undo = await moveFileBy(...on, way)
      return { success: undo !== null, undo }
    })
  const restore = toFile(async (_on, visit, of, id) =>
    undoOf(await gate.carryOut(visit, RESTORE_ACT, { owner: of, files: [id] })),
  )
  const remove = toFile(async (on, visit, of, id) => ({ undo: await deleteFiles(on, visit, of, [id]) }))

  app.post<Address>(fileUrls.moveUp(owner, ':file'), change, step('up'))
  app.post<Address>(fileUrls.moveDown(owner, ':file'), change, step('down'))
  app.post<Address>(fileUrls.restore(owner, ':file'), byPrograms(ofOwner(owner, RESTORE_FILE)), restore)
  app.delete<Address>(fileUrls.file(owner, ':file'), byPrograms(ofOwner(owner, DELETE_FILE)), remove)
  app.post<Address>(fileUrls.file(owner, ':file'), { ...change, preHandler: asDelete }, remove)

  const ordering = { ...order, config: { ...order.config, program: ofOwner(owner, ORDER_FILES) } }
  app.post<Address>(fileUrls.updateOrder(owner, ':folder'), ordering, (request) =>
    answerChange(async () => {
      const { newOrder } = bodyIn(request, ORDER_FILES)
      const folder = idIn(request.params.folder)
      return { undo: await updateOrder(db, visitOf(request), ownerOf(request), folder, newOrder) }
    }),
  )

  app.post<Address>(fileUrls.sort(owner, ':folder'), byPrograms(ofOwner(owner, SORT_FILES)), (request) =>
    answerChange(async () => {
      const wanted = bodyIn(request, SORT_FILES)
      const folder = idIn(request.params.folder)
      return { undo: await sortFolder(db, visitOf(request), ownerOf(request), folder, wanted) }
    }),
  )
}

/** Returns the owner of the files that an address is about. */
export function ownerOf({
  params: { project, user },
}: {
  params: { project?: string; user?: string }
}): FileOwner {
  return user === undefined ? { project: idIn(project) } : { user: idIn(user) }
}

/** Lets a form's POST delete if it says `_method=DELETE`: a form cannot send DELETE. */
export function asDelete(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { _method: method } = (request.body ?? {}) as { _method?: unknown }
  done(typeof method === 'string' && method.toUpperCase() === 'DELETE' ? undefined : notFound())
}

/** The answer to an act on files. `undo` is the id to undo it with; null if nothing changed. */
type ChangeAnswer = {
  success?: boolean
  undo?: string | null
  /** Set if nothing has changed yet, because a colleague has to approve it. `undo` withdraws it. */
  asked?: string
}

/** The answer to an act that a colleague may have to approve. */
export function undoOf({ asked, result }: Outcome<string | null | void>): ChangeAnswer {
  return asked ? { undo: asked.id, asked: asked.text } : { undo: result ?? null }
}

/** Answers `{success, undo}` and whatever else the work returns, and adds `success` to a refusal. */
export async function answerChange<More extends ChangeAnswer>(
  work: () => Promise<More | void>,
): Promise<ChangeAnswer> {
  try {
    return { success: true, undo: null, ...(await work()) }
  } catch (error) {
    const refusal = isCrossed(error) ? conflict('En anden ændrede det samme lige nu. Prøv igen.') : error
    throw refusal instanceof Refusal
      ? Object.assign(refusal, { more: { ...refusal.more, success: false } })
      : refusal
  }
}
