import { createWriteStream, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

// The least work with which Node can store a request's body. FILE says where.
const file = process.env.FILE!
const server = createServer((request, response) => {
  if (request.method === 'DELETE') rmSync(file)
  if (request.method !== 'PUT') response.end('hello')
  else
    pipeline(request, createWriteStream(file, { flush: true })).then(
      () => response.end(),
      (error: Error) => response.destroy(error),
    )
})
server.listen(0, '127.0.0.1', () => {
  console.log(`A bare write is running at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
