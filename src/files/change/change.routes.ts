import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { FileOwner, Visit } from '../../access/reader.ts'
import { visitOf } from '../../access/visit.routes.ts'
import type { Parts } from '../../server/parts.ts'
import { isCrossed, type Database } from '../../server/database/database.ts'
import { conflict, notFound, Refusal } from '../../server/http/errors.ts'
import { FORM_BYTES } from '../../server/http/form-body.ts'
import { idIn } from '../../server/http/ids.ts'
import { id, validate } from '../../server/http/validate.ts'
import { fileUrls, urls, type Owner } from '../../urls.ts'
import { deleteFile, moveFile, moveFileToPerson } from './change.db.ts'
import { moveFileBy, updateOrder } from './order.db.ts'
import { restoreFile } from '../trash/trash.db.ts'

const MOST_IDS = 50_000

const NO_ORDER = 'Angiv den nye rækkefølge.'
const Order = z.object({
  newOrder: z.unknown().transform((value, context) => {
    // Checked by hand: a schema is slow for tens of thousands of ids.
    const ids = typeof value === 'object' && value !== null ? Object.values(value).map(idOf) : []
    const fault = ids.length === 0 ? NO_ORDER : ids.includes(null) ? 'Feltet skal være et id.' : null
    if (fault) context.addIssue({ code: 'custom', message: fault })
    return ids.flatMap((each) => each ?? [])
  }),
})

function idOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) && Number(number) > 0 ? Number(number) : null
}

const Move = z.object({
  file_id: id,
  folder_id: id,
  /** Whether the page warned that the move shows the file to investors. Without this field, nothing is checked. */
  shares: z
    .union([z.boolean(), z.enum(['true', 'false'])], { error: 'Feltet skal være true eller false.' })
    .transform((value) => String(value) === 'true')
    .optional(),
})

type Address = { Params: { project?: string; user?: string; file: string; folder: string } }
type Call = FastifyRequest<Address>

/** Adds the routes that change files: the same ones for projects and for people. */
export function addFileChanges(app: FastifyInstance, parts: Parts): void {
  addChangesOf(app, parts, { project: ':project' })
  addChangesOf(app, parts, { user: ':user' })

  const { db } = parts
  app.post<Address>(urls.moveFile(':project'), change, (request) =>
    told(async () => {
      const sent = validate(Move, request.body)
      await moveFile(db, visitOf(request), ownerOf(request), sent.file_id, sent.folder_id, sent.shares)
    }),
  )

  app.post<Address>(urls.moveUserFile(':user'), change, (request) =>
    told(async () => {
      const { file_id: file, user_id: to } = validate(MoveToPerson, request.body)
      const from = idIn(request.params.user)
      await moveFileToPerson(db, visitOf(request), from, file, to)
    }),
  )
}

const MoveToPerson = z.object({ file_id: id, user_id: id })

const change = { config: { right: 'changeFiles' } } as const
/** Leaves room for an id of ten digits and a comma for each file of a folder. */
const sort = {
  config: { ...change.config, mostFields: MOST_IDS + 100 },
  bodyLimit: 11 * MOST_IDS + FORM_BYTES,
} as const

function addChangesOf(app: FastifyInstance, { db }: Parts, owner: Owner): void {
  /** Makes a handler that changes the file in the address. */
  const toFile =
    (act: (db: Database, visit: Visit, owner: FileOwner, fileId: number) => Promise<boolean | void>) =>
    (request: Call) =>
      told(() => act(db, visitOf(request), ownerOf(request), idIn(request.params.file)))

  app.post<Address>(
    fileUrls.moveUp(owner, ':file'),
    change,
    toFile((...on) => moveFileBy(...on, 'up')),
  )
  app.post<Address>(
    fileUrls.moveDown(owner, ':file'),
    change,
    toFile((...on) => moveFileBy(...on, 'down')),
  )
  app.post<Address>(fileUrls.restore(owner, ':file'), change, toFile(restoreFile))
  app.delete<Address>(fileUrls.file(owner, ':file'), change, toFile(deleteFile))
  app.post<Address>(fileUrls.file(owner, ':file'), { ...change, preHandler: asDelete }, toFile(deleteFile))

  app.post<Address>(fileUrls.updateOrder(owner, ':folder'), sort, (request) =>
    told(async () => {
      const { newOrder } = validate(Order, request.body)
      await updateOrder(db, visitOf(request), ownerOf(request), idIn(request.params.folder), newOrder)
    }),
  )
}

/** Returns the owner of the files that an address is about. */
export function ownerOf({ params: { project, user } }: Call): FileOwner {
  return user === undefined ? { project: idIn(project) } : { user: idIn(user) }
}

/** Lets a form's POST delete if it says `_method=DELETE`: a form cannot send DELETE. */
export function asDelete(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { _method: method } = (request.body ?? {}) as { _method?: unknown }
  done(typeof method === 'string' && method.toUpperCase() === 'DELETE' ? undefined : notFound())
}

/** Answers `{success}`, and adds it to the message if the work is refused. */
export async function told(work: () => Promise<boolean | void>): Promise<{ success: boolean }> {
  try {
    return { success: (await work()) ?? true }
  } catch (error) {
    const refusal = isCrossed(error) ? conflict('En anden ændrede det samme lige nu. Prøv igen.') : error
    throw refusal instanceof Refusal ? Object.assign(refusal, { more: { success: false } }) : refusal
  }
}
