import type { MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Parts } from '../app.ts'
import { formatBytes } from '../base/bytes.ts'
import { invalid, Refusal, tooMany } from '../server/errors.ts'
import { TooLarge } from '../server/measure.ts'
import { partsOf } from '../server/parts.ts'
import { userOf } from '../server/permit.ts'
import { urls } from '../urls.ts'
import { cleanFileName } from './file-name.ts'
import type { TemporaryFile } from './temporary-file.ts'
import {
  countTemporaryBytes,
  NoRoom,
  receiveTemporaryFile,
  removeTemporaryFiles,
  roomFor,
} from './temporary.db.ts'

/** So long without a byte is a dead connection. */
export const SILENCE_MS = 120_000
/** A page sends two at a time. */
const CALLS_AT_A_TIME = 4

const FIELD = /^files\[(\d{1,9})\]$/

/** What is sent before its form is: S7.6. All of one call is kept, or none of it. */
export function addTemporaryUploads(app: FastifyInstance, parts: Parts): void {
  const { db, config } = parts
  /** How many calls of each person are under way. */
  const calls = new Map<number, number>()

  app.post(
    urls.temporaryUpload,
    { config: { right: 'sendFiles', readsParts: true } },
    async (request, reply) => {
      if (!request.isMultipart()) throw new Refusal(415, 'Filer sendes som multipart/form-data.')
      const { id: userId } = userOf(request)
      const received: [place: number, file: TemporaryFile][] = []
      const before = calls.get(userId) ?? 0
      if (before >= CALLS_AT_A_TIME)
        throw tooMany(5, 'Du sender for meget på én gang. Vent et øjeblik, og prøv igen.')
      calls.set(userId, before + 1)
      const { raw } = request
      const hangUp = () => void raw.destroy()
      raw.socket.setTimeout(SILENCE_MS, hangUp)
      try {
        let room = config.temporaryBytesPerUser - (await countTemporaryBytes(db, userId))
        for await (const part of filesOf(request, config.maxFilesPerSubmit)) {
          const { place, name, field } = readPart(part)
          if (received.some(([each]) => each === place))
            throw invalid({ [field]: [`${name} er sendt under samme nummer som en anden fil.`] })
          const file = await receive(part, name, field, room)
          received.push([place, file])
          room -= roomFor(file.size)
        }
      } catch (error) {
        await removeTemporaryFiles(
          parts,
          userId,
          received.map(([, file]) => file.hash_name),
        )
        throw error instanceof Refusal ? error : broken(error)
      } finally {
        raw.socket.setTimeout(0).off('timeout', hangUp)
        const left = calls.get(userId)! - 1
        if (left > 0) calls.set(userId, left)
        else calls.delete(userId)
      }
      if (received.length === 0) throw invalid({ files: ['Der er ingen filer.'] })
      return reply.send(received.sort(([a], [b]) => a - b).map(([, file]) => file))

      async function receive(part: MultipartFile, name: string, field: string, left: number) {
        const most = config.temporaryBytesPerUser
        const limit = Math.min(config.maxFileBytes, Math.max(left, 0))
        try {
          const file = await receiveTemporaryFile(parts, userId, name, part.file, limit, most)
          if (file.size > 0) return file
          await removeTemporaryFiles(parts, userId, [file.hash_name])
          throw invalid({ [field]: [TEXTS.empty(name)] })
        } catch (error) {
          const isFull = error instanceof NoRoom
          if (!isFull && !(error instanceof TooLarge)) throw full(error, field, name)
          const text =
            isFull || limit < config.maxFileBytes ? TEXTS.noRoom(name, most) : TEXTS.tooLarge(name, limit)
          throw invalid({ [field]: [text] })
        }
      }
    },
  )
}

async function* filesOf(request: FastifyRequest, most: number): AsyncGenerator<MultipartFile> {
  // How large a file may be is counted as it is stored; the library would only cut it off.
  const limits = { fileSize: Infinity, files: most + 1, parts: Infinity, fields: 10, fieldSize: 1000 }
  let count = 0
  for await (const part of partsOf(request, { limits })) {
    if (part.type !== 'file') continue
    count++
    if (count > most) throw invalid({ files: [`Der kan højst sendes ${most} filer ad gangen.`] })
    yield part
  }
}

function readPart({ fieldname, filename }: MultipartFile): { place: number; name: string; field: string } {
  const place = FIELD.exec(fieldname)?.[1]
  if (place === undefined) throw invalid({ files: ['Filerne skal hedde files[0], files[1] og så videre.'] })
  const field = `files.${place}`
  return { place: Number(place), name: nameIn(filename ?? '', field), field }
}

/** A file's name as it is kept. */
export function nameIn(text: string, field: string): string {
  const name = cleanFileName(text)
  if (name === '') throw invalid({ [field]: ['Filen har intet navn.'] })
  if (name.length > MOST_LETTERS)
    throw invalid({ [field]: [`Filnavnet må højst være på ${MOST_LETTERS} tegn.`] })
  return name
}

const MOST_LETTERS = 255

/** The same, however a file is sent. */
export const TEXTS = {
  empty: (name: string) => `${name} er tom.`,
  tooLarge: (name: string, most: number) =>
    `${name} er for stor. En fil må højst fylde ${formatBytes(most)}.`,
  noRoom: (name: string, most: number) =>
    `Der er ikke plads til ${name}: Du må højst have ${formatBytes(most)} liggende, som ikke er gemt.`,
}

/** A disk that is full is told at the file that it had no room for. */
export function full(error: unknown, field: string, name: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new Refusal(503, 'Der er ikke mere plads på serveren.', {
    [field]: [`Der er ikke plads til ${name} på serveren. Giv kontoret besked.`],
  })
}

/** What broke off on its way, and not by us. */
function broken(error: unknown): unknown {
  const { code = '', statusCode } = error as { code?: string; statusCode?: number }
  const isTheirs =
    code.startsWith('FST_') ||
    statusCode === 400 ||
    /Unexpected end|Malformed|Boundary|aborted|premature|needle/i.test(String(error))
  return isTheirs ? new Refusal(400, 'Filerne kom ikke helt frem. Prøv igen.') : error
}
