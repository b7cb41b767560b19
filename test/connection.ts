import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Visitor } from './visitor.ts'

/** Asks over a real connection, and leaves the body to be read. */
export async function connectTo(
  { server }: FastifyInstance,
  { cookies }: Visitor,
  url: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const call = get(`http://127.0.0.1:${port}${url}`, { headers: { cookie, ...headers }, agent: false })
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return response
}

/** Reads until `most` bytes have come, and returns what came; breaks the connection off then. */
export async function readSome(response: IncomingMessage, most = Infinity): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= most) break
  }
  response.destroy()
  return Buffer.concat(chunks)
}
