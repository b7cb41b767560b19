import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, it } from 'vitest'
import { freshApp } from '../../../../test/app.ts'

let port: number
beforeAll(async () => {
  const { app } = await freshApp({ hasJobs: false })
  await app.listen({ port: 0, host: '127.0.0.1' })
  ;({ port } = app.server.address() as AddressInfo)
})

/** Uses a real socket: an injected request hides broken connections. */
async function post(body: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\nConnection: close\r\n` +
      `Content-Type: multipart/form-data; boundary=X\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  return (await text(socket)).split('\r\n')[0]!
}

const part = (name: string) => `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`

it.each([
  ['more parts than any form has, and no end', part('a').repeat(20_050)],
  ['a part whose headers never end', '--X\r\nContent-Disposition: form-data; name="a"'],
  ['no end', part('a')],
])('refuses a body with %s, and the server goes on', async (_what, body) => {
  expect(await post(body)).toMatch(/^HTTP\/1.1 4\d\d /)
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
  expect(answer.status).toBe(200)
})

it.each([
  ['parts that have no name', '--X\r\nContent-Disposition: form-data\r\n\r\nx\r\n--X--'],
  ['another boundary', '--Y\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--Y--'],
  ['nothing', ' '],
  ['headers without an end', `--X\r\n${'X: y\r\n'.repeat(9000)}`],
  ['nothing but dashes', '\r\n--'.repeat(20_000)],
])('refuses a form of %s', async (_what, body) => {
  expect(await post(body)).toMatch(/^HTTP\/1.1 4\d\d /)
})
