import { once } from 'node:events'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// The plain way in which Node sends many files as one answer: /0 sends the first list of files, /1 the second.
const lists = JSON.parse(readFileSync(process.env.LISTS!, 'utf8')) as string[][]
const sizes = lists.map((files) => files.reduce((sum, file) => sum + statSync(file).size, 0))

async function send(response: ServerResponse, list: number): Promise<void> {
  response.writeHead(200, { 'content-length': sizes[list] })
  for (const file of lists[list]!) {
    const stream = createReadStream(file)
    stream.pipe(response, { end: false })
    await once(stream, 'end')
  }
  response.end()
}

const server = createServer((request, response) => {
  if (request.url === '/') response.end('hello')
  else void send(response, Number(request.url!.slice(1)))
})
server.listen(0, '127.0.0.1', () => {
  console.log(`A bare stream is running at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
