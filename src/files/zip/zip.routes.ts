import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { FileOwner, Reader } from '../../access/reader.ts'
import type { Right } from '../../rights.ts'
import { notFound, Refusal } from '../../server/http/errors.ts'
import { FORM_BYTES } from '../../server/http/forms/form-body.ts'
import { findId, idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit } from '../../server/http/forms/submit.ts'
import { validate } from '../../server/http/validate.ts'
import type { Database } from '../../server/database/database.ts'
import type { Parts } from '../../server/parts.ts'
import { fileUrls, zipOf, type Owner } from '../../urls.ts'
import { UUID, type SendArchive } from './archive-sender.routes.ts'
import { makeArchive } from './zip-archive.db.ts'
import { listZipFiles, type ZipChoice } from './zip-files.db.ts'
import { findSelection, keepSelection } from './zip-selections.db.ts'

type Address = { Params: { project?: string; user?: string }; Querystring: Record<string, unknown> }
type Call = FastifyRequest<Address>

/** More are kept as a selection: an address has an end. */
const MOST_IN_ADDRESS = 500
const MOST_SELECTED = 20_000

const OWNERS: { at: Owner; right: Right }[] = [
  { at: { project: ':project' }, right: 'seeFiles' },
  { at: { user: ':user' }, right: 'seeUserFiles' },
]

/** Adds the routes that send files as a ZIP archive, which can be continued where it broke off. */
export function addZip(app: FastifyInstance, parts: Parts, send: SendArchive): void {
  for (const { at, right } of OWNERS) {
    app.route<Address>({
      method: ['GET', 'HEAD'],
      url: fileUrls.zip(at),
      config: { right },
      compress: false,
      handler: async (request, reply) => {
        const owner = ownerOf(request)
        const reader = userOf(request)
        const { choice, isPicked } = await choiceOf(parts.db, request, reader)
        const make = (begunWith?: number[]) => makeArchive(parts, reader, owner, choice, begunWith)
        return send(request, reply, { right, isPicked, make })
      },
    })

    addSelections(app, parts, at, right)
  }
}

/** Adds the route that keeps a selection of many files, for an address to name. */
function addSelections(app: FastifyInstance, { db, config }: Parts, at: Owner, right: Right): void {
  app.post<Address>(fileUrls.zip(at), { ...select, config: { ...select.config, right } }, (request, reply) =>
    submit(request, reply, async () => {
      const { files } = validate(Picked, request.body)
      const owner = ownerOf(request)
      await listZipFiles(db, userOf(request), owner, { files }, config.timeZone)
      const selection = randomUUID()
      await keepSelection(db, userOf(request).id, selection, files)
      return zipOf(owner, { selection })
    }),
  )
}

/** Reads which files an address asks for. Those that were picked one by one stay the same. */
async function choiceOf(
  db: Database,
  { query }: Call,
  reader: Reader,
): Promise<{ choice: ZipChoice; isPicked: boolean }> {
  const [[name, text] = ['all', ''], ...more] = Object.entries(query)
  if (typeof text !== 'string' || more.length > 0) throw notFound()
  if (name === 'all') return { choice: 'all', isPicked: false }
  if (name === 'folder') return { choice: { folder: idIn(text) }, isPicked: false }
  if (name === 'year' && /^\d{4}$/.test(text)) return { choice: { year: Number(text) }, isPicked: false }
  if (name === 'files') return { choice: { files: readIds(text) }, isPicked: true }
  const files = name === 'selection' && UUID.test(text) ? await findSelection(db, reader.id, text) : null
  if (!files) throw notFound('Udvalget findes ikke længere. Vælg filerne igen.')
  return { choice: { files }, isPicked: true }
}

/** Leaves room for an id of ten digits and a comma for each file. */
const select = {
  config: { mostFields: MOST_SELECTED + 100 },
  bodyLimit: 11 * MOST_SELECTED + FORM_BYTES,
} as const

const Picked = z.object({
  files: z.unknown().transform((value, context) => {
    // Checked by hand: a schema is slow for thousands of ids.
    const given = typeof value === 'string' ? value.split(',') : value
    const ids = typeof given === 'object' && given !== null ? Object.values(given).map(idOf) : []
    const fault =
      ids.length === 0
        ? 'Vælg mindst én fil.'
        : ids.includes(null)
          ? 'Feltet skal være et id.'
          : ids.length > MOST_SELECTED
            ? `Vælg højst ${MOST_SELECTED} filer ad gangen.`
            : null
    if (fault) context.addIssue({ code: 'custom', message: fault })
    return [...new Set(ids.flatMap((each) => each ?? []))]
  }),
})

function idOf(value: unknown): number | null {
  return typeof value === 'string' || typeof value === 'number' ? findId(String(value)) : null
}

function readIds(text: string): number[] {
  const texts = text.split(',', MOST_IN_ADDRESS + 1)
  if (texts.length > MOST_IN_ADDRESS)
    throw new Refusal(422, `Adressen kan højst have ${MOST_IN_ADDRESS} filer.`)
  return [...new Set(texts.map(idIn))]
}

function ownerOf({ params: { project, user } }: Call): FileOwner {
  return user === undefined ? { project: idIn(project) } : { user: idIn(user) }
}
