import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { IMAGE_FAULTS, MOST_IMAGE_BYTES } from '../../../base/image.ts'
import { DiskLow } from '../../storage/disk-room.ts'
import type { Client } from '../../process/fair-queue.ts'
import { BadImage, ImageLate } from '../../storage/image-fault.ts'
import type { FileStorage } from '../../storage/storage.ts'
import { clientOf } from '../answer-turns.ts'
import { invalid, Refusal, tooMany } from '../errors.ts'
import { FORM_BYTES } from './form-body.ts'
import { partsOf } from './multipart.ts'
import { userOf } from '../permit.ts'

/** At most this many files are in memory at once, in total and per person. */
const AT_A_TIME = 10
const OWN_AT_A_TIME = 2
/** The longest an upload may take; a slower one would keep others from sending theirs. */
const MOST_MS = 5 * 60_000

export type FileFault = 'none' | 'several' | 'empty' | 'large'
type SentFile = { name: string; bytes: Buffer }

type Taking = {
  mostBytes: number
  refused: (fault: FileFault) => Refusal
  /** The messages if it breaks off, and if too many are in progress. */
  broken: string
  busy: string
}

/** The file sent as `file`, or the reason it cannot be used. Kept apart from the body, which a page may show again. */
const files = new WeakMap<FastifyRequest, SentFile | Refusal>()

/** The options of a route that receives one small file as `file`, besides its right. */
export function receivesFile(taking: Taking) {
  return {
    config: { readsParts: true },
    bodyLimit: taking.mostBytes + FORM_BYTES, // room for the file and the other fields
    // Runs before the anti-forgery token is checked: the token may be one of the fields.
    preValidation: async (request: FastifyRequest): Promise<void> => {
      if (!request.isMultipart()) return
      const { fields, file } = await amongFew(request, taking.busy, () => read(request, taking))
      request.body = fields
      files.set(request, file)
    },
  }
}

/** Returns the file that was sent, or throws the reason that it cannot be used. Undefined if the request had no parts. */
export function sentFile(request: FastifyRequest): SentFile | undefined {
  const file = files.get(request)
  if (file instanceof Refusal) throw file
  return file
}

const underWay = new Map<number, number>()

/** Does work with a file in memory, unless too many are at it. */
export async function amongFew<Result>(
  request: FastifyRequest,
  busy: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { id } = userOf(request)
  const own = underWay.get(id) ?? 0
  const all = underWay.values().reduce((sum, each) => sum + each, 0)
  if (own >= OWN_AT_A_TIME || all >= AT_A_TIME) throw tooMany(5, busy)
  underWay.set(id, own + 1)
  try {
    return await work()
  } finally {
    const left = underWay.get(id)! - 1
    if (left > 0) underWay.set(id, left)
    else underWay.delete(id)
  }
}

type Sent = { fields: Record<string, string>; file: SentFile | Refusal }

const FIELDS = new Set(['_token', '_method', 'was'])
const LIMITS = { fileSize: Infinity, parts: Infinity, files: 10, fields: 20, fieldSize: 1000 }

/**
 * Throws if the body cannot be read at all. A file that cannot be used is refused later, once the token is checked.
 */
async function read(request: FastifyRequest, { mostBytes, refused, broken }: Taking): Promise<Sent> {
  const fields: Record<string, string> = {}
  let file: SentFile | Refusal | null = null
  const { raw } = request
  const late = setTimeout(() => void raw.destroy(), MOST_MS)
  let length = 0
  // A file that is too large gets an answer. A client that keeps sending beyond that is cut off.
  raw.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > 2 * (mostBytes + FORM_BYTES)) raw.destroy()
  })
  try {
    for await (const part of partsOf(request, { limits: LIMITS })) {
      if (part.type === 'field') {
        if (FIELDS.has(part.fieldname)) fields[part.fieldname] = String(part.value)
      } else if (part.fieldname !== 'file') part.file.resume()
      else {
        const bytes = await readAll(part.file, mostBytes)
        // A form with no file chosen sends a file without a name.
        if (bytes?.length === 0 && !part.filename) continue
        if (file !== null) return { fields, file: refused('several') }
        if (bytes === null) return { fields, file: refused('large') }
        file = bytes.length === 0 ? refused('empty') : { name: part.filename, bytes }
      }
    }
  } catch {
    throw new Refusal(400, broken)
  } finally {
    clearTimeout(late)
  }
  return { fields, file: file ?? refused('none') }
}

/** Returns null if the file is larger than it may be. */
async function readAll(file: Readable, mostBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBytes) {
      file.resume()
      return null
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

// Images

const IMAGE_BUSY = 'Der er allerede billeder på vej. Vent et øjeblik, og prøv igen.'

const STATUS: Partial<Record<keyof typeof IMAGE_FAULTS, number>> = { large: 413, late: 503, room: 507 }
const RETRY_SECONDS = 10

const refusedImage = (fault: keyof typeof IMAGE_FAULTS) =>
  new Refusal(STATUS[fault] ?? 422, IMAGE_FAULTS[fault], { file: [IMAGE_FAULTS[fault]] })

/** The options of a route that receives one image as `file`, besides its right. */
export const receivesImage = receivesFile({
  mostBytes: MOST_IMAGE_BYTES,
  refused: refusedImage,
  broken: 'Billedet kom ikke helt frem. Prøv igen.',
  busy: IMAGE_BUSY,
})

/** Remakes the image that was sent by `remake`. Throws the reason if it cannot be used, or there is no room for it. */
export async function takeImage<Result>(
  request: FastifyRequest,
  storage: FileStorage,
  remake: (bytes: Buffer, client: Client) => Promise<Result>,
): Promise<Result> {
  const image = sentFile(request)
  if (!image) throw refusedImage('none')
  // The image takes room in the database.
  await storage.room?.ensure().catch((error: unknown) => {
    throw error instanceof DiskLow ? refusedImage('room') : error
  })
  return amongFew(request, IMAGE_BUSY, () =>
    remake(image.bytes, clientOf(request)).catch((error: unknown) => {
      if (error instanceof ImageLate) throw Object.assign(refusedImage('late'), { retryAfter: RETRY_SECONDS })
      throw error instanceof BadImage ? refusedImage(error.fault) : error
    }),
  )
}

/** A form can only POST, so it names the method it means in `_method`. */
export function methodOf(request: FastifyRequest): 'POST' | 'DELETE' {
  const { _method: method = 'POST' } = (request.body ?? {}) as { _method?: unknown }
  const name = typeof method === 'string' ? method.toUpperCase() || 'POST' : ''
  if (name !== 'POST' && name !== 'DELETE') throw invalid({ _method: ['Kun POST og DELETE forstås her.'] })
  return name
}
