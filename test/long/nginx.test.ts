import { randomBytes } from 'node:crypto'
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changesOf } from '../../src/urls.ts'
import { freshApp, type TestApp } from '../app.ts'
import { Caller } from '../load/caller.ts'
import { makeUser } from '../make.ts'
import { NAME, startNginx } from '../neighbours/nginx.ts'

let test: TestApp
let port: number
beforeAll(async () => {
  const env = { TRUST_PROXY: '127.0.0.1', APP_URL: `https://${NAME}`, REQUESTS_PER_MINUTE: '1000000' }
  test = await freshApp({ env, hasJobs: false })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  port = (test.app.server.address() as AddressInfo).port
})
afterAll(() => test.app.close())

const TRUST = { servername: NAME, rejectUnauthorized: false }

function openHttp2(https: number): ClientHttp2Session {
  const session = connectHttp2(`https://127.0.0.1:${https}`, { ...TRUST })
  session.on('error', () => undefined)
  return session
}

it('nginx speaks HTTP/2, accepts large uploads, streams live updates and cuts slow clients', async () => {
  const nginx = await startNginx([port, port])
  const { https } = nginx.ports
  const { email } = await makeUser(test.db, { role: 'employee' })
  const person = new Caller(nginx.call)
  expect((await person.signIn(email)).status).toBe(200)

  // HTTP/2: many pages over one connection. Ringbind says that browsers must come back with https.
  const session = openHttp2(https)
  const ask = (path: string, headers: Record<string, string> = {}) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const stream = session.request({ ':path': path, ':authority': NAME, ...headers })
      stream.once('error', reject).once('response', (answer) => resolve({ ...answer }))
      stream.resume()
    })
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask('/login')))
  expect(session.alpnProtocol).toBe('h2')
  expect(answers.map((answer) => answer[':status'])).toEqual(answers.map(() => 200))
  expect(answers[0]!['strict-transport-security']).toBe('max-age=31536000')
  expect(answers[0]!.server).toBe('nginx') // without its version

  // A live page hears of a change at once, although nginx buffers other answers.
  const live = session.request({
    ':path': `${changesOf('users')}&since=0`,
    ':authority': NAME,
    cookie: person.headers.cookie!,
    accept: 'text/event-stream',
  })
  let heard = ''
  live.on('error', () => undefined).on('data', (text: Buffer) => (heard += text.toString()))
  await expect.poll(() => heard.length).toBeGreaterThan(0)
  const before = heard.length
  await makeUser(test.db)
  await expect.poll(() => heard.length).toBeGreaterThan(before)
  live.close()
  session.close()

  // A file larger than any form goes through, and a form that is too large is told so in Danish.
  const sent = await person.sendWhole([{ name: 'Stor.pdf', bytes: randomBytes(40_000_000) }])
  expect(sent.status).toBe(200)
  const large = await nginx.call('POST', '/login', { body: Buffer.alloc(17_000_000) })
  expect([large.status, String(large.body)]).toEqual([413, 'Det, der blev sendt, er for stort.\n'])

  // Clients that send their head or their body slowly are cut off.
  const cutAfter = (words: string, drip: string) =>
    new Promise<number>((resolve) => {
      const began = Date.now()
      const socket = connectTls({ host: '127.0.0.1', port: https, ...TRUST }, () => socket.write(words))
      const timer = setInterval(() => drip && socket.write(drip), 1000)
      socket
        .on('error', () => undefined)
        .once('close', () => {
          clearInterval(timer)
          resolve((Date.now() - began) / 1000)
        })
      socket.resume()
    })
  const [head, body] = await Promise.all([
    cutAfter(`GET / HTTP/1.1\r\nHost: ${NAME}\r\nX-Slow: `, 'a'),
    cutAfter(`POST /login HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 90000\r\n\r\n`, ''),
  ])
  console.log(`nginx cut a slow head after ${head} s and a silent body after ${body} s`)
  expect(head).toBeLessThan(90)
  expect(body).toBeLessThan(120)
})

it('a flood from one address is asked to wait, and a busy office is not', async () => {
  const nginx = await startNginx([port, port], { rate: 1 })
  const ask = (session: ClientHttp2Session) =>
    new Promise<unknown>((resolve, reject) => {
      const stream = session.request({ ':path': '/healthz', ':authority': NAME })
      stream.once('error', reject).once('response', (answer) => resolve(answer[':status']))
      stream.resume()
    })
  // The burst takes 1,000 beyond the rate, which is one a second here.
  const statuses: unknown[] = []
  for (let round = 0; round < 30; round++) {
    const session = openHttp2(nginx.ports.https) // nginx ends a connection after 1,000 requests
    statuses.push(...(await Promise.all(Array.from({ length: 50 }, () => ask(session)))))
    session.close()
  }
  const taken = statuses.filter((status) => status === 200).length
  console.log(`of 1,500 requests ${taken} were taken`)
  expect(statuses.slice(0, 1000).every((status) => status === 200)).toBe(true)
  expect(new Set(statuses.slice(1000))).toContain(429)
})
