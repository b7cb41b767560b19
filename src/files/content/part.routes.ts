import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../../server/storage/storage.ts'
import { answerTo, type Stored } from './content.ts'

export type Sent = {
  status: 200 | 206
  part: ByteRange
  length: number
  /** The headers that say which part it is. */
  told: Record<string, string | number>
}

/** Finds the part of a file that a request gets. Null if it gets no bytes: then it is answered (304, 412, 416). */
export function findPart(
  { method, headers: asked }: Pick<FastifyRequest, 'method' | 'headers'>,
  reply: FastifyReply,
  file: Pick<Stored, 'size' | 'sha256'>,
  headers: Record<string, string>,
): Sent | null {
  const { size } = file
  const wanted = answerTo(method, asked, file)
  const { status } = wanted
  void reply.code(status)
  if (status === 200 || status === 206) {
    const part = wanted.status === 206 ? wanted.part : { first: 0, last: size - 1 }
    const length = part.last - part.first + 1
    const range = status === 206 && { 'content-range': `bytes ${part.first}-${part.last}/${size}` }
    return { status, part, length, told: { 'content-length': length, ...range } }
  }
  if (status === 304) void reply.headers(headers)
  if (status === 416) void reply.header('content-range', `bytes */${size}`)
  void reply.send()
  return null
}
