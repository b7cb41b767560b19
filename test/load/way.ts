import { Agent, request } from 'node:http'
import type { Way } from './caller.ts'

/** Connects directly to a port from a local address, and keeps the connections. */
export function wayTo(
  port: number,
  { localAddress = '127.0.0.1', connections = 1 } = {},
): Way & { end: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const way: Way = (method, path, { headers, body } = {}) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const call = request({
        host: '127.0.0.1',
        port,
        localAddress,
        agent,
        method,
        path,
        headers: { ...length, ...headers },
      })
      call.once('error', reject).once('response', (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject)
        reply.once('end', () =>
          resolve({ status: reply.statusCode!, headers: reply.headers, body: Buffer.concat(chunks) }),
        )
      })
      call.end(body)
    })
  return Object.assign(way, { end: () => agent.destroy() })
}
