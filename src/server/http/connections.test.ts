import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { Visitor } from '../../../test/visitor.ts'
import { PATIENCE, type Patience } from '../process/patience.ts'

const visit = { right: 'visit' } as const

const routes = (app: FastifyInstance) => {
  app.post('/form', { config: visit }, () => ({ took: 'all' }))
  app.post('/file', { config: { ...visit, receivesFiles: true } }, async ({ raw }) => {
    let size = 0
    for await (const chunk of raw as AsyncIterable<Buffer>) size += chunk.length
    return { size }
  })
  app.addContentTypeParser('file/any', (_request, _payload, parsed) => parsed(null))
  app.get('/slow', { config: visit }, () => sleep(1500).then(() => 'here it is'))
  app.get('/endless', { config: visit }, (_request, reply) => {
    const bytes = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(256 * 1024)
      })(),
    )
    bytes.once('close', () => ended.push('endless'))
    return reply.type('application/octet-stream').send(bytes)
  })
}
const ended: string[] = []

const QUICK: Patience = {
  ...PATIENCE,
  headersMs: 300,
  bodyMs: 500,
  readerMs: 500,
  upload: { graceMs: 200, windowMs: 400, leastBytes: 400 },
  refusedMs: 500,
  refusedBytes: 32_000_000,
}

let test: TestApp
let port: number
/** The headers that show that a call comes from our own pages. */
let ours: string
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, routes, patience: QUICK, env: { REQUESTS_PER_MINUTE: '100000' } })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  ;({ port } = test.app.server.address() as AddressInfo)
  const visitor = new Visitor(test.app)
  await visitor.get('/findes-ikke')
  const token = visitor.cookies.get('XSRF-TOKEN')!
  ours = `Cookie: XSRF-TOKEN=${token}\r\nX-XSRF-TOKEN: ${decodeURIComponent(token)}\r\n`
})

/** Sends some text on a new connection. */
async function open(words: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(words)
  return socket
}

const post = (path: string, more: string, type = 'application/x-www-form-urlencoded') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${ours}${more}\r\n\r\n`

/** Returns the whole answer until the connection is closed. */
async function heard(socket: Socket): Promise<string> {
  let words = ''
  socket.on('data', (bytes) => (words += String(bytes)))
  await new Promise((resolve) => socket.once('close', resolve))
  return words
}

/** Sends a byte at a time until the connection is closed. */
function drip(socket: Socket, ms = 50): void {
  const timer = setInterval(() => socket.write('a'), ms)
  socket.once('close', () => clearInterval(timer))
}

describe('a slow client', () => {
  it('a client that sends headers slowly gets 408', async () => {
    const socket = await open('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    drip(socket)
    expect(await heard(socket)).toMatch(/^HTTP\/1.1 408 .*kom ikke frem i tide/s)
  })

  it('a client that sends nothing gets 408', async () => {
    expect(await heard(await open(''))).toMatch(/^HTTP\/1.1 408 /)
  })

  it.each([
    ['a form', '/form'],
    ['a form to an unknown address', '/findes-ikke'],
    ['a form to an invalid address', '/%zz'],
  ])('a client that sends %s slowly does not keep the connection', async (_what, path) => {
    const socket = await open(post(path, 'Content-Length: 90000'))
    drip(socket)
    expect(await heard(socket)).toMatch(/^HTTP\/1.1 4(08|00|04) /)
  })

  it('a client that sends a form slowly in chunks gets 408', async () => {
    const socket = await open(`${post('/form', 'Transfer-Encoding: chunked')}1\r\na\r\n`)
    expect(await heard(socket)).toMatch(/^HTTP\/1.1 408 .*for lang tid/s)
  })

  it('a client that sends a file too slowly gets 408, and the route is told', async () => {
    const socket = await open(post('/file', 'Content-Length: 90000', 'file/any'))
    drip(socket)
    expect(await heard(socket)).toMatch(/^HTTP\/1.1 408 /)
  })

  it('a client that is fast enough may send a file for as long as it takes', async () => {
    const socket = await open(post('/file', 'Content-Length: 100000\r\nConnection: close', 'file/any'))
    const answer = heard(socket)
    for (let sent = 0; sent < 100_000; sent += 5000) {
      await sleep(100)
      socket.write('a'.repeat(5000))
    }
    expect(await answer).toContain('{"size":100000}')
  })

  it('a client keeps its connection if the server is slow to answer', async () => {
    const socket = await open(`GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(await heard(socket)).toContain('here it is')
  })

  it('a client that reads an answer slowly is cut off', async () => {
    const socket = await open(`GET /endless HTTP/1.1\r\nHost: x\r\n\r\n`)
    socket.pause()
    await expect.poll(() => ended).toContain('endless')
  })
})

describe('a client that does not speak HTTP', () => {
  /** Reads the answer only when everything is sent, as many clients do. */
  async function babble(): Promise<string> {
    const socket = await open('hvad\r\n\r\n')
    const answer = heard(socket)
    socket.pause()
    for (let piece = 0; piece < 6; piece++) {
      await new Promise((resolve) => socket.write('x'.repeat(50_000), resolve))
      await sleep(5)
    }
    socket.end()
    socket.resume()
    return answer
  }

  it('a client that does not speak HTTP gets its answer although it goes on sending, twenty times out of twenty', async () => {
    for (let time = 0; time < 20; time++) expect(await babble()).toMatch(/^HTTP\/1.1 400 .*\n$/s)
  })

  it('a client that does not speak HTTP is cut off in the end, whether it goes on or is silent', async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void socket.destroy())
    const gone = new Promise((resolve) => socket.on('error', resolve).once('close', resolve))
    socket.write('hvad\r\n\r\n')
    const timer = setInterval(() => socket.write('x'.repeat(100_000)), 1)
    await gone
    clearInterval(timer)
    const silent = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void silent.destroy())
    silent.resume().write('hvad\r\n\r\n')
    await expect
      .poll(() => new Promise((resolve) => test.app.server.getConnections((_error, many) => resolve(many))))
      .toBe(0)
  })
})

describe('a refused body', () => {
  let patient: number
  beforeAll(async () => {
    const { app } = await freshApp({ hasJobs: false })
    await app.listen({ port: 0, host: '127.0.0.1' })
    patient = (app.server.address() as AddressInfo).port
  })

  const send = (bytes: number) =>
    fetch(`http://127.0.0.1:${patient}/login`, {
      method: 'POST',
      body: Buffer.alloc(bytes, 'a'),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    })

  it('a refused body gets its answer, six times out of six', async () => {
    const answers = []
    for (let time = 0; time < 6; time++) {
      const answer = await send(8_000_000)
      answers.push([answer.status, await answer.json()])
    }
    expect(answers).toMatchObject(
      Array.from({ length: 6 }, () => [413, { message: 'Det, der blev sendt, er for stort.' }]),
    )
  })

  it('refused bodies get their answers in six calls at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(8_000_000)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 413))
  })

  it('a refused body is read little by little, so that others are answered in between', async () => {
    const { app } = await freshApp({ hasJobs: false })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const sockets: Socket[] = []
    app.server.on('connection', (socket: Socket) => sockets.push(socket))
    const { port: to } = app.server.address() as AddressInfo
    const count = () => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0)
    const now = { most: 0, isOver: false }
    let before = 0
    const look = () => {
      now.most = Math.max(now.most, count() - before)
      before = count()
      if (!now.isOver) setImmediate(look)
    }
    look()
    for (let index = 0; index < 10; index++) {
      const socket = connect({ port: to, host: '127.0.0.1' })
      onTestFinished(() => void socket.destroy())
      socket.write(post('/login', 'Content-Length: 8000000'))
      socket.write(Buffer.alloc(8_000_000, 'a'))
    }
    await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(40_000_000)
    now.isOver = true
    // Each connection may fill what waits to be read.
    expect(now.most).toBeLessThan(10 * 2 * 65_536 + 65_536)
  })

  it('a refused body is read only for a while, however fast it comes', async () => {
    const socket = await open(post('/login', 'Content-Length: 9000000000'))
    const answer = heard(socket)
    const block = Buffer.alloc(1_000_000)
    let sent = 0
    while (!socket.destroyed && sent < 4_000_000_000) {
      sent += block.length
      if (!socket.write(block)) await Promise.race([once(socket, 'drain').catch(() => undefined), answer])
    }
    expect(await answer).toMatch(/^(HTTP\/1.1 413 |$)/)
    expect(socket.destroyed).toBe(true)
  })

  it('a refused body is read only for a while, however slowly it comes', async () => {
    const socket = await open(post('/login', 'Content-Length: 9000000000'))
    drip(socket)
    expect(await heard(socket)).toMatch(/^HTTP\/1.1 413 /)
  })
})

describe('connections', () => {
  const ask = (to: number, localAddress: string, headers: Record<string, string> = {}) =>
    new Promise<number | string>((resolve) => {
      const call = httpRequest({ port: to, host: '127.0.0.1', localAddress, path: '/healthz', headers })
      call.once('response', (answer) => resolve(answer.resume().statusCode!))
      call.once('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code))).end()
    })

  async function holdAt(env: Record<string, string>, patience: Partial<Patience>) {
    const { app } = await freshApp({ hasJobs: false, env, routes, patience: { ...PATIENCE, ...patience } })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port: to } = app.server.address() as AddressInfo
    const held = Array.from({ length: 5 }, () => connect(to, '127.0.0.1'))
    onTestFinished(() => held.forEach((socket) => socket.destroy()))
    for (const socket of held)
      await once(
        socket.on('error', () => undefined),
        'connect',
      )
    return { to, held }
  }

  it('limits connections per address, and other addresses get in', async () => {
    const { to, held } = await holdAt({}, { connections: { all: 100, each: 5 } })
    expect([await ask(to, '127.0.0.1'), await ask(to, '127.0.0.2')]).toEqual(['ECONNRESET', 200])
    held[0]!.destroy()
    await expect.poll(() => ask(to, '127.0.0.1')).toBe(200)
  })

  it('limits connections in total', async () => {
    const { to } = await holdAt({}, { connections: { all: 5, each: 5 } })
    expect(await ask(to, '127.0.0.2')).toBe('ECONNRESET')
  })

  it('does not limit a proxy’s connections, but the requests of its clients', async () => {
    const env = { TRUST_PROXY: '127.0.0.0/8', REQUESTS_PER_MINUTE: '100000' }
    const { to } = await holdAt(env, { connections: { all: 100, each: 5 }, requestsEach: 3 })
    expect(await ask(to, '127.0.0.1')).toBe(200)
    const slow = (client: string) =>
      fetch(`http://127.0.0.1:${to}/slow`, { headers: { 'x-forwarded-for': client } })
    const answers = await Promise.all([...Array(4)].map(() => slow('192.0.2.1')).concat(slow('192.0.2.2')))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 429])
    expect((await slow('192.0.2.1')).status).toBe(200)
  })
})

it('limits the bytes of bodies in memory', async () => {
  const patience = { ...PATIENCE, heldBytes: { all: 250_000, each: 150_000 } }
  const { app } = await freshApp({ hasJobs: false, routes, patience })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port: to } = app.server.address() as AddressInfo
  const begin = async (localAddress: string) => {
    const socket = connect({ port: to, host: '127.0.0.1', localAddress })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    let answer = ''
    socket.setEncoding('utf8').on('data', (words: string) => (answer += words))
    socket.write(post('/form', 'Content-Length: 90000').replace(ours, ''))
    return { socket, status: () => answer.slice(9, 12) }
  }
  const one = await begin('127.0.0.1')
  await expect.poll((await begin('127.0.0.1')).status).toBe('429')
  const other = await begin('127.0.0.2')
  await expect.poll((await begin('127.0.0.3')).status).toBe('429')
  expect([one.status(), other.status()]).toEqual(['', ''])
  one.socket.destroy()
  await expect
    .poll(async () => {
      const next = await begin('127.0.0.3')
      await sleep(100)
      return next.status()
    })
    .toBe('')
})
