import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { IMAGE_FAULTS, MOST_IMAGE_BYTES } from '../../base/image.ts'
import { DiskLow } from '../storage/disk-room.ts'
import { BadImage } from '../storage/remake-image.ts'
import type { FileStorage } from '../storage/storage.ts'
import { clientOf } from './answer-turns.ts'
import { invalid, Refusal, tooMany } from './errors.ts'
import { FORM_BYTES } from './form-body.ts'
import { partsOf } from './multipart.ts'
import { userOf } from './permit.ts'

/** At most this many images are in memory at once, in total and per person. */
const AT_A_TIME = 10
const OWN_AT_A_TIME = 2
/** The longest an upload may take; a slower one would keep others from sending theirs. */
const MOST_MS = 5 * 60_000

/** Room for the image and the other fields. */
const MOST_BODY_BYTES = MOST_IMAGE_BYTES + FORM_BYTES

/** The bytes sent as `file`, or the reason they cannot be used. Kept apart from the body, which a page may show again. */
const images = new WeakMap<FastifyRequest, Buffer | Refusal>()

/** The options of a route that receives one image as `file`, besides its right. */
export const receivesImage = {
  config: { readsParts: true },
  bodyLimit: MOST_BODY_BYTES,
  // Runs before the anti-forgery token is checked: the token may be one of the fields.
  preValidation: async (request: FastifyRequest): Promise<void> => {
    if (!request.isMultipart()) return
    const { fields, image } = await amongFew(request, () => read(request))
    request.body = fields
    images.set(request, image)
  },
}

/** Remakes the image that was sent by `remake`. Throws the reason if it cannot be used, or there is no room for it. */
export async function takeImage<Result>(
  request: FastifyRequest,
  storage: FileStorage,
  remake: (bytes: Buffer, client: string) => Promise<Result>,
): Promise<Result> {
  const image = images.get(request) ?? refused('none')
  if (image instanceof Refusal) throw image
  // The image takes room in the database.
  await storage.room?.ensure().catch((error: unknown) => {
    throw error instanceof DiskLow ? refused('room') : error
  })
  return amongFew(request, () =>
    remake(image, clientOf(request)).catch((error: unknown) => {
      throw error instanceof BadImage ? refused(error.fault) : error
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

const STATUS: Partial<Record<keyof typeof IMAGE_FAULTS, number>> = { large: 413, room: 507 }

const refused = (fault: keyof typeof IMAGE_FAULTS) =>
  new Refusal(STATUS[fault] ?? 422, IMAGE_FAULTS[fault], { file: [IMAGE_FAULTS[fault]] })

const underWay = new Map<number, number>()

async function amongFew<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
  const { id } = userOf(request)
  const own = underWay.get(id) ?? 0
  const all = underWay.values().reduce((sum, each) => sum + each, 0)
  if (own >= OWN_AT_A_TIME || all >= AT_A_TIME)
    throw tooMany(5, 'Der er allerede billeder på vej. Vent et øjeblik, og prøv igen.')
  underWay.set(id, own + 1)
  try {
    return await work()
  } finally {
    const left = underWay.get(id)! - 1
    if (left > 0) underWay.set(id, left)
    else underWay.delete(id)
  }
}

type Sent = { fields: Record<string, string>; image: Buffer | Refusal }

const FIELDS = new Set(['_token', '_method', 'was'])
const LIMITS = { fileSize: Infinity, parts: Infinity, files: 10, fields: 20, fieldSize: 1000 }

/**
 * Throws if the body cannot be read at all. A file that cannot be used is refused later, once the token is checked.
 */
async function read(request: FastifyRequest): Promise<Sent> {
  const fields: Record<string, string> = {}
  let image: Buffer | Refusal | null = null
  const { raw } = request
  const late = setTimeout(() => void raw.destroy(), MOST_MS)
  let length = 0
  // An image that is too large gets an answer. A client that keeps sending beyond that is cut off.
  raw.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > 2 * MOST_BODY_BYTES) raw.destroy()
  })
  try {
    for await (const part of partsOf(request, { limits: LIMITS })) {
      if (part.type === 'field') {
        if (FIELDS.has(part.fieldname)) fields[part.fieldname] = String(part.value)
      } else if (part.fieldname !== 'file') part.file.resume()
      else {
        const bytes = await readAll(part.file)
        // A form with no file chosen sends a file without a name.
        if (bytes?.length === 0 && !part.filename) continue
        if (image !== null) return { fields, image: refused('several') }
        if (bytes === null) return { fields, image: refused('large') }
        image = bytes.length === 0 ? refused('empty') : bytes
      }
    }
  } catch {
    throw new Refusal(400, 'Billedet kom ikke helt frem. Prøv igen.')
  } finally {
    clearTimeout(late)
  }
  return { fields, image: image ?? refused('none') }
}

/** Returns null if the file is larger than an image may be. */
async function readAll(file: Readable): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_IMAGE_BYTES) {
      file.resume()
      return null
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
