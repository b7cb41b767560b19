import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Parts } from '../../server/parts.ts'
import { actorOf } from '../../log/actor.routes.ts'
import { invalid, Refusal, tooMany } from '../../server/http/errors.ts'
import { DiskLow } from '../../server/storage/disk-room.ts'
import { clientOf } from '../../server/http/answer-turns.ts'
import { FORM_BYTES } from '../../server/http/form-body.ts'
import { partsOf } from '../../server/http/multipart.ts'
import { userOf } from '../../server/http/permit.ts'
import { BadImage, makeSquares } from './square-images.server.ts'
import { submit, type Refused } from '../../server/http/submit.ts'
import { wantsJson } from '../../server/http/wants-json.ts'
import { urls } from '../../urls.ts'
import { imageAddress } from './image-address.ts'
import { removeProfileImage, setProfileImage } from './profile-image.db.ts'
import { IMAGE_FAULTS, MOST_IMAGE_BYTES } from './profile-image.ts'

/** Twice the size shown, for screens with two pixels per point. */
const SIDES = { large: 256, small: 72 }
/** At most this many images are in memory at once, in total and per person. */
const AT_A_TIME = 10
const OWN_AT_A_TIME = 2
/** The longest an upload may take; a slower one would keep others from sending theirs. */
const MOST_MS = 5 * 60_000

type ShowAgain = (request: FastifyRequest, reply: FastifyReply, refused: Refused) => Promise<FastifyReply>

/** S7.10, S3.6: people set and remove their own image. */
export function addProfileImage(app: FastifyInstance, { db, storage }: Parts, showAgain: ShowAgain): void {
  const underWay = new Map<number, number>()
  /**
   * The bytes sent as `file`, or the reason they cannot be used. Kept apart from the body, which the page may show
   * again.
   */
  const images = new WeakMap<FastifyRequest, Buffer | Refusal>()

  app.post(
    urls.profileImage,
    {
      config: { right: 'haveProfile', readsParts: true },
      bodyLimit: MOST_BODY_BYTES,
      // Runs before the anti-forgery token is checked: the token may be one of the fields.
      preValidation: async (request) => {
        if (!request.isMultipart()) return
        const { fields, image } = await amongFew(request, () => read(request))
        request.body = fields
        images.set(request, image)
      },
    },
    async (request, reply) => {
      if (wantsJson(request)) return reply.send({ image: await change(request) })
      const work = async () => {
        await change(request)
        return urls.profileAfter('image')
      }
      return submit(request, reply, work, (refused) => showAgain(request, reply, refused))
    },
  )

  async function change(request: FastifyRequest): Promise<string | null> {
    const { id } = userOf(request)
    const actor = actorOf(request)
    if (methodOf(request) === 'DELETE') {
      await removeProfileImage(db, actor, id)
      return null
    }
    const image = images.get(request) ?? refused('none')
    if (image instanceof Refusal) throw image
    // The image takes room in the database.
    await storage.room?.ensure().catch((error: unknown) => {
      throw error instanceof DiskLow ? refused('room') : error
    })
    const [large, small] = await amongFew(request, () => squaresOf(image, clientOf(request)))
    const key = await setProfileImage(db, actor, id, { large: large!, small: small! })
    return imageAddress(id, key)
  }

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
}

const STATUS: Partial<Record<keyof typeof IMAGE_FAULTS, number>> = { large: 413, room: 507 }

const refused = (fault: keyof typeof IMAGE_FAULTS) =>
  new Refusal(STATUS[fault] ?? 422, IMAGE_FAULTS[fault], { file: [IMAGE_FAULTS[fault]] })

/** A form can only POST, so it names the method it means in `_method`. */
function methodOf(request: FastifyRequest): 'POST' | 'DELETE' {
  const { _method: method = 'POST' } = (request.body ?? {}) as { _method?: unknown }
  const name = typeof method === 'string' ? method.toUpperCase() || 'POST' : ''
  if (name !== 'POST' && name !== 'DELETE') throw invalid({ _method: ['Kun POST og DELETE forstås her.'] })
  return name
}

async function squaresOf(bytes: Buffer, client: string): Promise<Buffer[]> {
  try {
    return await makeSquares(bytes, [SIDES.large, SIDES.small], client)
  } catch (error) {
    throw error instanceof BadImage ? refused(error.fault) : error
  }
}

type Sent = { fields: Record<string, string>; image: Buffer | Refusal }

/** Room for the image and the other fields. */
const MOST_BODY_BYTES = MOST_IMAGE_BYTES + FORM_BYTES

const FIELDS = new Set(['_token', '_method'])
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
