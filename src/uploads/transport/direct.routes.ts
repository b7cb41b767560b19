import { LIFETIMES } from '../../base/upload-lifetimes.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Parts } from '../../server/parts.ts'
import { conflict, invalid, notFound, Refusal } from '../../server/http/errors.ts'
import { userOf } from '../../server/http/permit.ts'
import { validate } from '../../server/http/validate.ts'
import { urls } from '../../urls.ts'
import { findDirectFile, readDirectFile, type DirectFile } from './direct.db.ts'
import { isUnfit, unfitText } from '../../files/names/file-name.ts'
import { announceTemporaryFile, NoRoom, removeTemporaryFiles } from './temporary.db.ts'
import { roomLimitOf, nameIn, noRoom, TEXTS } from './temporary.routes.ts'

/** The name that `POST /api/temp/upload` gives to the first file of a call. */
const FIELD = 'files.0'
const HASH = /^[0-9a-f]{32}$/

const Asked = z.object({
  filePath: z
    .string({ error: 'Filens navn skal være en tekst.' })
    .max(4096, { error: 'Filens navn er for langt.', abort: true })
    .default(''),
  contentType: z
    .string({ error: 'Filens type skal være en tekst.' })
    .max(200, { error: 'Filens type er for lang.', abort: true })
    .regex(/^(?:[\w!#$&^.+-]+\/[\w!#$&^.+-]+)?$/, 'Filens type kan ikke læses.')
    .default(''),
  size: z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ],
      { error: 'Størrelsen skal være et tal.' },
    )
    .refine((size) => Number.isSafeInteger(size) && size >= 0, { error: 'Størrelsen skal være et tal.' })
    .optional(),
})

type Address = { Params: { hash: string } }

/** Lets the browser send large files straight to the store, where that is allowed: S7.11. */
export function addDirectUploads(app: FastifyInstance, parts: Parts): void {
  const { db, storage, jobs, config } = parts
  const send = { config: { right: 'sendFiles' } } as const

  app.post(urls.signUpload, send, async (request, reply) => {
    const { posts } = storage
    if (!posts) throw notFound('Her sendes filer gennem serveren.')
    const { id: userId } = userOf(request)
    const asked = validate(Asked, request.body)
    const name = nameOf(asked.filePath)
    if (asked.size === 0) throw invalid({ [FIELD]: [TEXTS.empty(name)] })
    const most = Math.min(config.maxFileBytes, posts.mostBytes)
    // A sender who does not give a size gets room for the largest.
    const size = asked.size ?? most
    if (size > config.maxFileBytes) throw tooLarge(name, config.maxFileBytes)
    if (size > most) throw notFound('Så stor en fil sendes gennem serveren.')
    const type = asked.contentType || 'application/octet-stream'
    const room = roomLimitOf(request, config)
    const { hashName, key } = await announceTemporaryFile(db, userId, {
      name,
      size,
      most: room,
      signedType: type,
    }).catch((error: unknown) => {
      throw error instanceof NoRoom ? noRoom(error.of, FIELD, name, room) : error
    })
    try {
      const allowed = { least: asked.size ?? 1, most: size, type, seconds: LIFETIMES.signedUploadMs / 1000 }
      const { postEndpoint, fields } = await posts.sign(key, allowed)
      return await reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ signature: fields, postEndpoint, hash_name: hashName })
    } catch (error) {
      await removeTemporaryFiles(parts, userId, [hashName])
      throw error
    }
  })

  async function fileOf(request: FastifyRequest<Address>): Promise<DirectFile> {
    const { hash } = request.params
    const file = HASH.test(hash) ? await findDirectFile(db, hash, userOf(request).id) : null
    if (!file) throw notFound('Filen er ikke længere på serveren.')
    return file
  }

  /** The browser calls this when it has sent the file. */
  app.post<Address>(urls.directFile(':hash'), send, async (request, reply) => {
    const file = await fileOf(request)
    if (file.type === null) await readDirectFile(db, jobs, file, await sizeOf(file))
    return reply.code(202).header('cache-control', 'no-store').send(told(file))
  })

  app.get<Address>(urls.directFile(':hash'), send, async (request, reply) =>
    reply.header('cache-control', 'no-store').send(told(await fileOf(request))),
  )

  /** Returns how much has arrived; refuses the file if that is not the size that was signed for. */
  async function sizeOf({ userId, hashName, name, size, blob }: DirectFile): Promise<number> {
    const came = await storage.length(blob.key)
    if (came === 0) throw conflict('Filen er ikke kommet frem endnu.')
    const isSizeUnknown = size === Math.min(config.maxFileBytes, storage.posts?.mostBytes ?? Infinity)
    if (came === size || (isSizeUnknown && came < size)) return came
    await removeTemporaryFiles(parts, userId, [hashName])
    throw invalid({ [FIELD]: [`${name} fylder ikke det, som den skulle. Send filen igen.`] })
  }
}

const told = ({ type, size }: DirectFile) => ({ state: type === null ? 'pending' : 'stored', type, size })

/** Returns the last part of a path, with slashes or backslashes. */
function nameOf(path: string): string {
  const text = path.split(/[/\\]/).at(-1)!
  if (isUnfit(text)) throw invalid({ [FIELD]: [unfitText(text)] })
  return nameIn(text, FIELD)
}

function tooLarge(name: string, most: number): Refusal {
  const text = TEXTS.tooLarge(name, most)
  return new Refusal(413, text, { [FIELD]: [text] })
}
