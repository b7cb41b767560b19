import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { expiryOf } from '../../accounts/session-expiry.ts'
import { ticketOf } from '../../accounts/sign-in/session-cookie.routes.ts'
import { actorOf } from '../../log/actor.routes.ts'
import type { Right } from '../../rights.ts'
import { notFound, Refusal, tooMany } from '../../server/http/errors.ts'
import { FORM_BYTES } from '../../server/http/form-body.ts'
import { findId, idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit } from '../../server/http/submit.ts'
import { validate } from '../../server/http/validate.ts'
import type { Database } from '../../server/database/database.ts'
import type { Parts } from '../../server/parts.ts'
import { DamagedBytes, MissingBytes } from '../../server/storage/storage.ts'
import { fileUrls, zipOf, type Owner } from '../../urls.ts'
import { answerTo, headersOf } from '../content/content.ts'
import { addDamage } from '../content/damage.db.ts'
import { ReadMarks } from '../content/read-marks.db.ts'
import { addReads } from '../content/reads.db.ts'
import { openArchive } from './archive-stream.server.ts'
import { RunningArchives } from './running-archives.ts'
import { makeArchive, type Archive } from './zip-archive.db.ts'
import { areStillSeen, listZipFiles, type ZipChoice, type ZipFile } from './zip-files.db.ts'
import { findSelection, keepSelection } from './zip-selections.db.ts'

type Address = { Params: { project?: string; user?: string }; Querystring: Record<string, unknown> }
type Call = FastifyRequest<Address>

/** More are kept as a selection: an address has an end. */
const MOST_IN_ADDRESS = 500
const MOST_SELECTED = 20_000

/** A download of more than this goes on with the files that it began with, even if others have come since. */
const KEPT_FROM = 16 * 1024 * 1024

const OWNERS: { at: Owner; right: Right }[] = [
  { at: { project: ':project' }, right: 'seeFiles' },
  { at: { user: ':user' }, right: 'seeUserFiles' },
]

/** Adds the routes that send files as a ZIP archive, which can be continued where it broke off. */
export function addZip(app: FastifyInstance, parts: Parts): void {
  const { db, storage, config, https } = parts
  const complain = (about: Record<string, unknown>, message: string) => app.log.error(about, message)
  const marks = new ReadMarks(db, { complain })
  const running = new RunningArchives()
  const expiry = expiryOf(config)

  async function answer(request: Call, reply: FastifyReply, right: Right): Promise<FastifyReply> {
    const owner = ownerOf(request)
    const reader = userOf(request)
    const { choice, isPicked } = await choiceOf(db, request, reader)
    const asked = await makeArchive(parts, reader, owner, choice)
    const archive = (await findBegun(parts, request, asked, owner, choice)) ?? asked
    const about = {
      name: archive.name,
      type: 'application/zip',
      size: archive.plan.length,
      sha256: archive.tag,
    }
    const wanted = answerTo(request.method, request.headers, about)
    const headers = headersOf(about, 'attachment')
    void reply.code(wanted.status)
    if (wanted.status === 304) return reply.headers(headers).send()
    if (wanted.status === 412) return reply.send()
    if (wanted.status === 416) return reply.header('content-range', `bytes */${about.size}`).send()

    const part = wanted.status === 206 ? wanted.part : { first: 0, last: about.size - 1 }
    void reply
      .headers(headers)
      // nginx passes it on as it comes, instead of filling its own buffers first.
      .headers({ 'content-length': part.last - part.first + 1, 'x-accel-buffering': 'no' })
    if (wanted.status === 206)
      void reply.header('content-range', `bytes ${part.first}-${part.last}/${about.size}`)
    if (request.method === 'HEAD') return reply.send()

    if (wanted.status === 200 && !isPicked && !reader.viewedBy && about.size > KEPT_FROM)
      await keepSelection(db, reader.id, archive.tag, idsOf(archive))
    const leave = running.enter(reader.id, archive.plan.files.length)
    if (!leave) throw refuseMore(reply)
    const stream = openArchive(archive.plan, part, {
      storage,
      check: () => check(request, right, owner, archive),
      record: (files) => record(request, owner, files),
      onFault: (file, error) => tellOf(error, file),
    })
    stream.once('close', leave)
    stream.once('error', (err) => request.log.warn({ err }, 'a ZIP archive was broken off'))
    return reply.send(stream)
  }

  async function check(request: Call, right: Right, owner: FileOwner, archive: Archive): Promise<void> {
    const [ticket, reader] = [ticketOf(request, https), userOf(request)]
    const { files } = archive.plan
    if (ticket && (await areStillSeen(db, { ticket, reader, expiry, right }, owner, files))) return
    throw new NoLongerSeen('The reader may no longer have every file of the archive.')
  }

  async function record(request: Call, owner: FileOwner, files: ZipFile[]): Promise<void> {
    const actor = actorOf(request)
    const at = performance.now()
    await addReads(
      db,
      files.map(({ id, version, folder, lenderId }) => ({
        act: 'file-downloaded',
        actor,
        owner,
        folderId: folder.id,
        fileId: id,
        version: version === 1 ? null : String(version),
        lenderId,
        at,
      })),
    )
    const { id: reader, viewedBy } = userOf(request)
    if (!viewedBy) await marks.markMany(reader, files)
  }

  /** Runs in the background. */
  function tellOf(fault: unknown, { blob: { id } }: ZipFile): void {
    if (!(fault instanceof MissingBytes || fault instanceof DamagedBytes)) return
    void addDamage(db, id, fault.message).catch((err: Error) =>
      complain({ err, blob: id }, 'damage was not noted'),
    )
  }

  for (const { at, right } of OWNERS) {
    app.route<Address>({
      method: ['GET', 'HEAD'],
      url: fileUrls.zip(at),
      config: { right },
      compress: false,
      handler: (request, reply) => answer(request, reply, right),
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

/** Returns the archive that a broken download began with, if its files are still as they were. */
async function findBegun(
  parts: Parts,
  request: Call,
  asked: Archive,
  owner: FileOwner,
  choice: ZipChoice,
): Promise<Archive | null> {
  const reader = userOf(request)
  const [, tag = ''] = /^"([^"]+)"$/.exec(String(request.headers['if-range'] ?? '').trim()) ?? []
  if (!UUID.test(tag) || tag === asked.tag) return null
  const files = await findSelection(parts.db, reader.id, tag)
  if (!files) return null
  const begun = await makeArchive(parts, reader, owner, choice, files).catch((error: unknown) => {
    if (error instanceof Refusal) return null // a file is gone: a new archive begins
    throw error
  })
  return begun?.tag === tag ? begun : null
}

class NoLongerSeen extends Error {}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

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

const idsOf = ({ plan }: Archive) => plan.files.map(({ id }) => id)

function ownerOf({ params: { project, user } }: Call): FileOwner {
  return user === undefined ? { project: idIn(project) } : { user: idIn(user) }
}

/** Refuses an archive while too many are sent. The headers of the archive are not those of the refusal. */
function refuseMore(reply: FastifyReply): Refusal {
  for (const name of Object.keys(reply.getHeaders()))
    if (/^(?:content-|accept-ranges$|etag$|x-accel)/.test(name)) void reply.removeHeader(name)
  return tooMany(30, 'Der hentes for mange ZIP-filer på én gang. Vent, til en af dem er hentet.')
}
