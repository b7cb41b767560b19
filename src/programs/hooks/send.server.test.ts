import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { createServer as createRaw, type AddressInfo, type Server as RawServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { sendMessage, type Message, type Sending } from './send.server.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OLD_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const HERE: Sending = { networks: ['127.0.0.0/8'] }
const BODY = JSON.stringify({ type: 'file.added', data: { items: [{ name: 'Årsrapport æøå 💶.pdf' }] } })

const servers = new Set<Server | RawServer>()
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
  servers.clear()
  sockets.clear()
})

async function listen(server: Server | RawServer): Promise<number> {
  servers.add(server)
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

type Got = { method: string; headers: IncomingHttpHeaders; body: string }

/** A receiver that answers as told, and remembers its requests. */
async function receiver(answer: (response: ServerResponse) => void): Promise<{ port: number; got: Got[] }> {
  const got: Got[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', headers } = request
      got.push({ method, headers, body: Buffer.concat(parts).toString() })
      answer(response)
    })
  })
  return { port: await listen(server), got }
}

const message = (port: number, more: Partial<Message> = {}): Message => ({
  url: `http://127.0.0.1:${port}/krog?nr=1`,
  secrets: [SECRET],
  id: 'msg_1',
  body: BODY,
  ...more,
})

describe('a message', () => {
  it('a message has a signature that the specification’s own package accepts', async () => {
    const { port, got } = await receiver((response) => response.writeHead(202).end('Tak for den'))
    const outcome = await sendMessage(message(port), HERE)
    expect(outcome).toMatchObject({ status: 202, fault: null, answer: 'Tak for den' })
    expect(got).toHaveLength(1)
    const { method, headers, body } = got[0]!
    expect(method).toBe('POST')
    expect(headers['content-type']).toBe('application/json')
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
    expect(signed['webhook-id']).toBe('msg_1')
    expect(new Webhook(SECRET).verify(body, signed)).toEqual(JSON.parse(BODY))
    expect(() => new Webhook(OLD_SECRET).verify(body, signed)).toThrow()
    expect(() => new Webhook(SECRET).verify(`${body} `, signed)).toThrow()
    expect(JSON.stringify(headers)).not.toContain(SECRET.slice(6))
  })

  it('a message is also signed with the old secret, while the receiver changes over', async () => {
    const { port, got } = await receiver((response) => response.end())
    await sendMessage(message(port, { secrets: [SECRET, OLD_SECRET] }), HERE)
    const { headers, body } = got[0]!
    for (const secret of [SECRET, OLD_SECRET])
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeTruthy()
  })

  it('a message goes to no address inside the network, unless the configuration allows it', async () => {
    const { port, got } = await receiver((response) => response.end())
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433']) {
      const outcome = await sendMessage(message(port, { url: `http://${host}:${port}/` }), { networks: [] })
      expect(outcome).toMatchObject({ status: null, fault: 'not-allowed' })
    }
    expect(got).toEqual([])
  })

  it('a message goes to the address that was checked, even if the name resolves to another a moment later', async () => {
    const { port, got } = await receiver((response) => response.end())
    const answers = ['127.0.0.1', '10.99.99.99']
    let asked = 0
    const resolve = () => Promise.resolve([{ address: answers[asked++]!, family: 4 }])
    const url = `http://navn.invalid:${port}/`
    expect(await sendMessage(message(port, { url }), { ...HERE, resolve })).toMatchObject({ status: 200 })
    expect(asked).toBe(1)
    expect(got[0]!.headers.host).toBe(`navn.invalid:${port}`)
    expect(await sendMessage(message(port, { url }), { ...HERE, resolve })).toMatchObject({
      fault: 'not-allowed',
    })
    expect(got).toHaveLength(1)
  })

  it('does not follow a redirect', async () => {
    const other = await receiver((response) => response.end())
    const { port } = await receiver((response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${other.port}/` }).end(),
    )
    expect(await sendMessage(message(port), HERE)).toMatchObject({ status: 307, fault: null })
    expect(other.got).toEqual([])
  })

  it('ignores proxies in the environment', async () => {
    const proxy = await receiver((response) => response.end())
    const { port, got } = await receiver((response) => response.end())
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY']
    for (const name of names)
      process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${proxy.port}`
    try {
      await sendMessage(message(port), HERE)
    } finally {
      for (const name of names) delete process.env[name]
    }
    expect(got).toHaveLength(1)
    expect(proxy.got).toEqual([])
  })
})

describe('an answer', () => {
  const raw = (talk: (socket: Socket) => void) =>
    listen(
      createRaw((socket) => {
        socket.on('error', () => undefined)
        socket.once('data', () => talk(socket))
      }),
    )
  const SHORT: Sending = { ...HERE, patienceMs: 300 }

  /** Writes the same again and again, as fast as it is read. */
  function pour(socket: Socket, chunk: string): void {
    const go = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', go)
    go()
  }

  it('an endless answer is cut, and its status counts', async () => {
    const port = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      pour(socket, 'æ'.repeat(10_000))
    })
    const outcome = await sendMessage(message(port), HERE)
    expect(outcome).toMatchObject({ status: 200, fault: null })
    expect(outcome.answer).toHaveLength(500)
  })

  it('an answer with endless headers is refused', async () => {
    const port = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      pour(socket, `x-mere: ${'a'.repeat(1000)}\r\n`)
    })
    expect(await sendMessage(message(port), HERE)).toMatchObject({ status: null, fault: 'garbled' })
  })

  it('an answer that never comes times out', async () => {
    const port = await raw(() => undefined)
    expect(await sendMessage(message(port), SHORT)).toMatchObject({ status: null, fault: 'too-slow' })
  })

  it('an endless stream of 1xx answers is refused', async () => {
    const port = await raw((socket) => pour(socket, 'HTTP/1.1 102 Processing\r\n\r\n'))
    expect(await sendMessage(message(port), HERE)).toMatchObject({ status: null, fault: 'garbled' })
  })

  it('an answer that comes drop by drop is cut when the time is up', async () => {
    const port = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nførst')
    })
    expect(await sendMessage(message(port), SHORT)).toMatchObject({ status: 200, answer: 'først' })
  })

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'garbled'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'unreachable',
    ],
    ['nothing but a closed connection', '', 'unreachable'],
  ])('an answer that is %s counts as none', async (_name, text, fault) => {
    const port = await raw((socket) => socket.end(text))
    expect(await sendMessage(message(port), HERE)).toMatchObject({ status: null, fault })
  })

  it('keeps an answer without characters that a page cannot show', async () => {
    const { port } = await receiver((response) =>
      response.end(Buffer.concat([Buffer.from('a\0b\u001b[31m\r\n\u202e c'), Buffer.from([0xff, 0xfe])])),
    )
    const { answer } = await sendMessage(message(port), HERE)
    expect(answer).toBe('ab[31m\nc\ufffd\ufffd')
  })

  it('reports a closed port, an unknown name and a line that is not encrypted', async () => {
    const { port } = await receiver((response) => response.end())
    servers.forEach((server) => server.close())
    expect(await sendMessage(message(port), HERE)).toMatchObject({ fault: 'unreachable' })
    const unknown = () => Promise.reject(new Error('ENOTFOUND'))
    const url = 'https://navn.invalid/'
    expect(await sendMessage(message(0, { url }), { ...HERE, resolve: unknown })).toMatchObject({
      fault: 'no-such-host',
    })
    const never = () => new Promise<never>(() => undefined)
    expect(await sendMessage(message(0, { url }), { ...SHORT, resolve: never })).toMatchObject({
      fault: 'too-slow',
    })
    const plain = await receiver((response) => response.end())
    expect(await sendMessage(message(0, { url: `https://127.0.0.1:${plain.port}/` }), HERE)).toMatchObject({
      fault: 'insecure',
    })
  })
})
