import { hash, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { visitOf } from '../../access/visit.routes.ts'
import { listHeld, submissionBy } from '../../releases/held/list-held.db.ts'
import { findReleaseOf } from '../../releases/release/release-list.db.ts'
import { isOffice, type Right } from '../../rights.ts'
import { invalid, notFound, Refusal } from '../../server/http/errors.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { bodyIn, type ProgramCall } from '../../server/http/program-call.ts'
import { validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { fileUrls, urls } from '../../urls.ts'
import type { Entry, Placing } from '../transport/entry.ts'
import {
  checkTarget,
  getInvestor,
  placeAtOwn,
  placeAtPerson,
  placeByNumber,
  placeManually,
} from '../form/place.db.ts'
import { storeSubmission } from '../form/submissions.db.ts'
import { entryOf } from '../form/upload-form.server.ts'
import { publishingOf } from '../form/upload.routes.ts'
import { readResult } from '../result/result.db.ts'
import type { TemporaryFile } from '../transport/temporary-file.ts'
import { removeTemporaryFiles } from '../transport/temporary.db.ts'
import { receiverOf } from '../transport/temporary.routes.ts'
import { FILE_BY_NAME, FILE_IN_FOLDER, FILE_WITH_USER, FilingFields } from './filing-calls.server.ts'
import { contentOfFiles } from './filing.db.ts'

type Address = { Params: { project: string; folder: string; user: string } }
type Filing = FastifyRequest<Address>

/** Where the files go, and whose they are. */
type Target = { place: Placing; fromInvestor?: boolean }

/** Each file of a JSON call is three values. */
const MOST_FIELDS = 800

/**
 * Adds the calls with which programs file: the upload form in one step, with the files themselves or with the names of files
 * that were sent before. `permit.ts` asks for the right and the key's scope before anything is read; `form/place.db.ts` finds what
 * is wrong with a place, and then nothing is stored.
 */
export function addFiling(app: FastifyInstance, parts: Parts): void {
  const { db, config } = parts
  const receive = receiverOf(parts)
  const optionsOf = (right: Right, program: ProgramCall) => ({
    config: { right, program, readsParts: true, receivesFiles: true, mostFields: MOST_FIELDS },
  })

  app.post<Address>(urls.fileByName, optionsOf('changeFiles', FILE_BY_NAME), (request, reply) =>
    file(request, reply, { place: placeByNumber(userOf(request)) }),
  )

  app.post<Address>(
    fileUrls.list({ project: ':project' }, ':folder'),
    optionsOf('changeFiles', FILE_IN_FOLDER),
    async (request, reply) => {
      const [project, folder] = [idIn(request.params.project), idIn(request.params.folder)]
      await checkTarget(db, userOf(request), project, folder)
      return file(request, reply, { place: placeManually(folder) })
    },
  )

  app.post<Address>(
    urls.listUserFiles(':user'),
    optionsOf('sendFiles', FILE_WITH_USER),
    async (request, reply) => {
      const [reader, user] = [userOf(request), idIn(request.params.user)]
      if (isOffice(reader.role)) {
        await getInvestor(db, reader, user)
        return file(request, reply, { place: placeAtPerson(reader, user) })
      }
      if (user !== reader.id) throw notFound('Personen findes ikke.')
      return file(request, reply, { place: placeAtOwn(reader.id), fromInvestor: true })
    },
  )

  async function file(request: Filing, reply: FastifyReply, { place, fromInvestor = false }: Target) {
    const key = keyIn(request)
    const [form] = request.url.split('?') as [string]
    const received = request.isMultipart() ? await receive(request, reply, (_name, count) => count) : null
    const { id: userId } = userOf(request)
    const discard = () =>
      removeTemporaryFiles(parts, userId, received?.files.map(({ hash_name: name }) => name) ?? [])
    try {
      const { entries, ...said } = received ? readForm(received.files, received.fields) : readNames(request)
      const checked = checkNames(entries, fromInvestor)
      const publishing = fromInvestor ? undefined : publishingOf(said, config.timeZone)
      const content =
        received &&
        (await contentOfFiles(db, userId, checked, { form, ...said, replaces: checked[0]?.replaces }))
      const { isNew } = await storeSubmission(parts, visitOf(request), {
        form,
        key,
        entries: checked,
        place,
        keep: said.keep_identical ? null : [],
        acknowledged: said.acknowledged ?? [],
        fromInvestor,
        ...(publishing && { publishing }),
        ...(content !== null && { content }),
      })
      if (!isNew) {
        await discard()
        void reply.header('idempotent-replayed', 'true')
      }
    } catch (error) {
      // Nobody else refers to these temporary files.
      await discard()
      throw asCallError(error, received !== null)
    }
    return reply.code(201).send(await readFiled(request, key))
  }

  async function readFiled(request: Filing, key: string) {
    const reader = userOf(request)
    const { groups, skipped, deleted } = await readResult(db, reader, key)
    const files = groups.flatMap(({ files: inIt, ...place }) =>
      inIt.map(({ held_version: _held, ...each }) => ({ ...each, ...place })),
    )
    const release = isOffice(reader.role) ? await findReleaseOf(db, reader, key) : null
    const { reading, total: doubt } = await listHeld(db, reader, { submission: submissionBy(reader.id, key) })
    const held = isOffice(reader.role) ? { reading, doubt } : null
    return {
      upload: key,
      files,
      skipped,
      deleted,
      release,
      held,
      page: config.appUrl + urls.uploadResult(key),
    }
  }
}

function readForm(files: TemporaryFile[], fields: Record<string, string>) {
  const isSingle = files.length === 1
  const { replaces, ...said } = validate(FilingFields, fields, {
    ...(!isSingle &&
      fields.replaces !== undefined && { replaces: ['Kun én fil ad gangen kan erstatte en anden.'] }),
  })
  return { entries: entriesOf(files.map((file) => ({ ...file, replaces }))), ...said }
}

function readNames(request: Filing) {
  if (typeof request.body !== 'object') throw new Refusal(415, 'Filer sendes som multipart/form-data.')
  const { files, ...said } = bodyIn(request, FILE_BY_NAME)
  return { entries: entriesOf(files), ...said }
}

type Named = { name: string; hash_name: string; replaces?: number | undefined }

const entriesOf = (files: Named[]) =>
  files.map(({ name, hash_name: hashName, replaces }, index): Entry => ({
    id: String(index),
    name,
    hashName,
    replaces,
  }))

const Entries = { strict: entryOf('strict'), simple: entryOf('simple') }

/** Checks the names by the rules of the upload form, and tells all faults at once. An investor replaces nothing. */
function checkNames(entries: Entry[], fromInvestor: boolean): Entry[] {
  const { name: Name } = Entries[fromInvestor ? 'simple' : 'strict'].shape
  const faults: Record<string, string[]> = {}
  const checked = entries.map((entry): Entry => {
    const { success, data, error } = Name.safeParse(entry.name)
    if (!success) faults[`files.${entry.id}.name`] = error.issues.map(({ message }) => message)
    return { ...entry, name: data ?? '', ...(fromInvestor && { replaces: undefined }) }
  })
  if (Object.keys(faults).length > 0) throw invalid(faults)
  return checked
}

const KEY = /^[\x21-\x7e]{1,255}$/

/** Makes the submission's key of the caller's: any text, which a form's own keys cannot be. */
function keyIn({ headers }: Filing): string {
  const given = headers['idempotency-key']
  if (given === undefined) return randomUUID()
  if (typeof given !== 'string' || !KEY.test(given))
    throw invalid({ 'Idempotency-Key': ['Idempotency-Key skal være på 1 til 255 tegn uden mellemrum.'] })
  return `key-${hash('sha256', given, 'base64url')}`
}

const REUSED = 'Idempotency-Key er brugt før til noget andet. Brug en ny nøgle.'

/** Names the fields as the call does, and says that a key was used for something else. */
function asCallError(error: unknown, isForm: boolean): unknown {
  if (!(error instanceof Refusal)) return error
  if (error.code === 'already_saved')
    return Object.assign(invalid({ 'Idempotency-Key': [REUSED] }), {
      code: 'idempotency_key_reused' as const,
    })
  const renamed = Object.entries(error.errors ?? {}).map(([field, texts]) => [
    field.replace(/\.data$/, isForm ? '' : '.hash_name'),
    texts,
  ])
  return error.errors
    ? Object.assign(error, { errors: Object.fromEntries(renamed) as typeof error.errors })
    : error
}
