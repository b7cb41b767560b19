import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The least work with which Node can send a file.
const file = process.env.FILE!
const server = createServer((request, response) => {
  if (request.url === '/') response.end('hello')
  else {
    response.writeHead(200, { 'content-length': statSync(file).size })
    createReadStream(file).pipe(response)
  }
})
server.listen(0, '127.0.0.1', () => {
  console.log(`A bare pipe is running at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
