import { hasOwnFiles } from '../../rights.ts'
import type { Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formatCount } from '../../base/danish/counts.ts'
import type { Parts } from '../../server/parts.ts'
import { formatBytes } from '../../base/bytes.ts'
import { isReadable, rawLength } from '../../base/text.ts'
import { NotStored } from '../../server/storage/blobs.db.ts'
import { DiskLow } from '../../server/storage/disk-room.ts'
import { whenOver } from '../../server/http/connections.ts'
import { invalid, Refusal, tooMany } from '../../server/http/errors.ts'
import { TooLarge } from '../../server/storage/measure.ts'
import { partsOf } from '../../server/http/forms/multipart.ts'
import { userOf } from '../../server/http/permit.ts'
import { urls } from '../../urls.ts'
import { cleanFileName, MOST_LETTERS } from '../../files/names/file-name.ts'
import { SEND_TEMPORARY } from './transport-calls.server.ts'
import type { TemporaryFile } from './temporary-file.ts'
import {
  DifferentBytes,
  findRoom,
  NoRoom,
  receiveSmallFiles,
  receiveTemporaryFile,
  removeTemporaryFiles,
  roomFor,
  type Most,
} from './temporary.db.ts'

/** How many calls a person may make at once; a page makes two. */
const CALLS_AT_A_TIME = 4

const FIELD = /^files\[(\d{1,9})\]$/
/** The SHA-256 in hex of the file as its sender read it; comes before the file, or not at all. */
const SUM = /^sha256\[(\d{1,9})\]$/

/** Receives files before their form is submitted: S7.6. Keeps all files of a call or none. */
export function addTemporaryUploads(app: FastifyInstance, parts: Parts): void {
  const receive = receiverOf(parts)
  app.post(
    urls.temporaryUpload,
    { config: { right: 'sendFiles', program: SEND_TEMPORARY, readsParts: true, receivesFiles: true } },
    async (request, reply) => reply.send((await receive(request, reply, numberedPlace)).files),
  )
}

/** Says which file of its call a part is, counted from 0; throws if its name is wrong. */
type PlaceOf = (fieldName: string, count: number) => number

function numberedPlace(fieldName: string): number {
  const place = FIELD.exec(fieldName)?.[1]
  if (place === undefined) throw invalid({ files: ['Filerne skal hedde files[0], files[1] og så videre.'] })
  return Number(place)
}

/** The files in their order, and the other fields of the call. */
type Received = { files: TemporaryFile[]; fields: Record<string, string> }

/** Makes what receives the files of a multipart call as temporary files of its sender: all of them or none. */
export function receiverOf(parts: Parts) {
  const { db, config } = parts
  /** How many calls of each person are under way. */
  const calls = new Map<number, number>()

  return async (request: FastifyRequest, reply: FastifyReply, placeOf: PlaceOf): Promise<Received> => {
    if (!request.isMultipart()) throw new Refusal(415, 'Filer sendes som multipart/form-data.')
    const { id: userId } = userOf(request)
    const most = roomLimitOf(request, config)
    const received: [place: number, file: TemporaryFile][] = []
    const fields: Record<string, string> = {}
    const places = new Set<number>()
    let held: Held[] = []
    let bound: keyof Most = 'waiting'
    const before = calls.get(userId) ?? 0
    if (before >= CALLS_AT_A_TIME)
      throw tooMany(5, 'Du sender for meget på én gang. Vent et øjeblik, og prøv igen.')
    calls.set(userId, before + 1)
    // Also when the sender has disconnected: work that is still running must not lock them out.
    whenOver(request.raw, reply.raw, () => {
      const left = calls.get(userId)! - 1
      if (left > 0) calls.set(userId, left)
      else calls.delete(userId)
    })
    try {
      const { left, of } = await findRoom(db, userId, most)
      let room = left
      bound = of
      for await (const { part, sums } of filesOf(request, config.maxFilesPerSubmit, fields)) {
        const place = placeOf(part.fieldname, places.size)
        const field = `files.${place}`
        const name = nameIn(part.filename ?? '', field)
        const sum = sums.get(place)
        if (places.has(place))
          throw invalid({ [field]: [`${name} er sendt under samme nummer som en anden fil.`] })
        places.add(place)
        const limit = Math.min(config.maxFileBytes, Math.max(room, 0))
        const bytes = await readSmall(part.file)
        if (bytes === null) {
          const file = await receive(part, name, field, limit, sum)
          received.push([place, file])
          room -= roomFor(file.size)
          continue
        }
        if (bytes.length === 0) throw invalid({ [field]: [TEXTS.empty(name)] })
        if (bytes.length > config.maxFileBytes) throw tooLarge(field, name, config.maxFileBytes)
        if (roomFor(bytes.length) > room) throw tooLarge(field, name, limit)
        held.push({ place, name, field, bytes, sum })
        room -= roomFor(bytes.length)
        if (held.reduce((total, each) => total + each.bytes.length, 0) >= HELD_BYTES) await storeHeld()
      }
      await storeHeld()
    } catch (error) {
      await removeTemporaryFiles(
        parts,
        userId,
        received.map(([, file]) => file.hash_name),
      )
      throw error instanceof Refusal ? error : broken(error)
    }
    if (received.length === 0) throw invalid({ files: ['Der er ingen filer.'] })
    return { files: received.sort(([a], [b]) => a - b).map(([, file]) => file), fields }

    async function receive(part: MultipartFile, name: string, field: string, limit: number, sum?: string) {
      try {
        return await receiveTemporaryFile(parts, userId, name, part.file, limit, { most, sum })
      } catch (error) {
        if (error instanceof DifferentBytes) throw different(field, name)
        if (error instanceof NoRoom) throw noRoom(error.of, field, name, most)
        throw error instanceof TooLarge ? tooLarge(field, name, limit) : full(error, field, name)
      }
    }

    async function storeHeld(): Promise<void> {
      const some = held
      if (some.length === 0) return
      held = []
      try {
        const files = await receiveSmallFiles(parts, userId, some, most)
        files.forEach((file, index) => received.push([some[index]!.place, file]))
      } catch (error) {
        const { field, name } = some[error instanceof NotStored ? error.index : 0]!
        if (error instanceof NoRoom) throw noRoom(error.of, field, name, most)
        const cause = error instanceof NotStored ? error.cause : error
        if (cause instanceof DifferentBytes) throw different(field, name)
        throw full(cause, field, name)
      }
    }

    function tooLarge(field: string, name: string, limit: number): Refusal {
      if (limit < config.maxFileBytes) return noRoom(bound, field, name, most)
      return invalid({ [field]: [TEXTS.tooLarge(name, limit)] })
    }
  }
}

type Held = { place: number; name: string; field: string; bytes: Buffer; sum: string | undefined }

/** Files up to this size are held, and stored several at once. */
const SMALL_BYTES = 256 * 1024
/** At most this much is held, plus one file. */
const HELD_BYTES = 2 * 1024 * 1024

/** Reads all of a small file. Returns null if it is larger, and puts back the bytes it has read. */
async function readSmall(bytes: Readable): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size <= SMALL_BYTES) continue
    bytes.unshift(Buffer.concat(chunks))
    return null
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

type Sums = Map<number, string>

/** Yields the files, and puts the other fields that come before, between and after them into `fields`. */
async function* filesOf(
  request: FastifyRequest,
  most: number,
  fields: Record<string, string>,
): AsyncGenerator<{ part: MultipartFile; sums: Sums }> {
  // Storing checks a file's size; the library would only cut it off.
  const limits = { fileSize: Infinity, files: most + 1, parts: Infinity, fields: most + 10, fieldSize: 1000 }
  const sums: Sums = new Map()
  let count = 0
  for await (const part of partsOf(request, { limits })) {
    if (part.type !== 'file') {
      const place = SUM.exec(part.fieldname)?.[1]
      if (place !== undefined) sums.set(Number(place), String(part.value))
      else if (part.valueTruncated) throw invalid({ [part.fieldname]: ['Feltet er for langt.'] })
      else fields[part.fieldname] = String(part.value)
      continue
    }
    count++
    if (count > most) throw invalid({ files: [`Der kan højst sendes ${formatCount(most)} filer ad gangen.`] })
    yield { part, sums }
  }
}

const UNREADABLE_NAME = 'Filnavnet har tegn, der ikke kan læses. Omdøb filen, og prøv igen.'

/** Returns a file's name as stored; refuses one that cannot be used. */
export function nameIn(text: string, field: string): string {
  const tooLong = `Filnavnet må højst være på ${MOST_LETTERS} tegn.`
  if (text.length > rawLength(MOST_LETTERS)) throw invalid({ [field]: [tooLong] })
  if (!isReadable(text)) throw invalid({ [field]: [UNREADABLE_NAME] })
  const name = cleanFileName(text)
  if (name === '') throw invalid({ [field]: ['Filen har intet navn.'] })
  if (name.length > MOST_LETTERS) throw invalid({ [field]: [tooLong] })
  return name
}

/** The same texts however a file is sent. */
export const TEXTS = {
  empty: (name: string) => `${name} er tom.`,
  tooLarge: (name: string, most: number) =>
    `${name} er for stor. En fil må højst fylde ${formatBytes(most)}.`,
  noRoom: {
    waiting: (name: string, most: number) =>
      `Der er ikke plads til ${name}: Du må højst have ${formatBytes(most)}, der ikke er gemt.`,
    own: (name: string, most: number) =>
      `Der er ikke plads til ${name}: Dine filer må højst fylde ${formatBytes(most)} i alt. Kontakt kontoret, hvis du skal sende flere.`,
  },
}

/** The bytes are not those that the sender read. Sending again may help. */
function different(field: string, name: string): Refusal {
  const text = `${name} kom ikke frem, som den blev sendt. Prøv igen.`
  return new Refusal(460, text, { [field]: [text] })
}

/** Returns how much a person may have; an investor's own files have their own limit. */
export function roomLimitOf(
  request: FastifyRequest,
  { temporaryBytesPerUser: waiting, investorBytes }: Parts['config'],
): Most {
  return { waiting, own: hasOwnFiles(userOf(request).role) ? investorBytes : Infinity }
}

export const noRoom = (of: keyof Most, field: string, name: string, most: Most) =>
  invalid({ [field]: [TEXTS.noRoom[of](name, most[of])] })

/** Reports a disk that is full, or has only its reserve left, at the file that it has no room for. */
export function full(error: unknown, field: string, name: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (!(error instanceof DiskLow) && code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new Refusal(507, 'Der er ikke mere plads på serveren.', {
    [field]: [`Der er ikke plads til ${name} på serveren. Giv kontoret besked.`],
  })
}

/** Turns an upload that broke off on the sender's side into a refusal. */
function broken(error: unknown): unknown {
  const { code = '', statusCode } = error as { code?: string; statusCode?: number }
  const isTheirs =
    code.startsWith('FST_') ||
    statusCode === 400 ||
    /Unexpected end|Malformed|Boundary|aborted|premature|needle/i.test(String(error))
  return isTheirs ? new Refusal(400, 'Filerne kom ikke helt frem. Prøv igen.') : error
}
