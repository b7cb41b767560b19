import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { createConnection, type AddressInfo } from 'node:net'
import { afterwards } from '../clean-up.ts'

/** How a store can fail to answer. */
export type Fault =
  | 'status 500'
  /** Never answers. */
  | 'silent'
  /** Hangs up before it has read the whole request. */
  | 'hangs up'
  /** Handles the request, and hangs up instead of answering. */
  | 'answer lost'
  /** Goes silent after some bytes of the answer. */
  | 'silent inside'
  /** Hangs up after some bytes of the answer. */
  | 'breaks off'

export type FaultyProxy = {
  endpoint: string
  /** Chooses what goes wrong with a request; called for each one. */
  fault: (method: string, url: string) => Fault | null
  /** Every request so far, for tests that count them. */
  asked: string[]
}

/** Starts a proxy in front of an S3 server that fails as stores sometimes do. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const proxy: FaultyProxy = { endpoint: '', fault: () => null, asked: [] }
  const server = createServer({ keepAliveTimeout: 60_000 }, (from, to) => {
    proxy.asked.push(`${from.method} ${from.url}`)
    passOn(target, proxy.fault(from.method!, from.url!), from, to)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  afterwards(async () => {
    server.close()
    server.closeAllConnections()
  })
  return proxy
}

/** How many bytes of an answer come before it goes wrong. */
const SOME = 100_000

function passOn(target: string, fault: Fault | null, from: IncomingMessage, to: ServerResponse): void {
  from.on('error', () => undefined)
  to.on('error', () => undefined)
  if (fault === 'silent') from.resume()
  else if (fault === 'hangs up') hangUp(from)
  else if (fault === 'status 500')
    from.resume().once('end', () => to.writeHead(500).end('<Error><Code>InternalError</Code></Error>'))
  else ask(target, fault, from, to)
}

function hangUp(from: IncomingMessage): void {
  if (from.method === 'PUT') from.once('data', () => from.socket.destroy())
  else from.socket.destroy()
}

function ask(target: string, fault: Fault | null, from: IncomingMessage, to: ServerResponse): void {
  const { hostname, port } = new URL(target)
  const { method, url: path, headers } = from
  const onward = request({ hostname, port, method, path, headers }, (answer) => {
    answer.on('error', () => to.destroy())
    if (fault === 'answer lost') {
      answer.resume().once('end', () => from.socket.destroy())
      return
    }
    to.writeHead(answer.statusCode!, answer.headers)
    if (fault === null) answer.pipe(to)
    else sendSome(answer, to, () => fault === 'breaks off' && from.socket.destroy())
  })
  onward.on('error', () => to.destroy())
  from.pipe(onward)
}

function sendSome(answer: IncomingMessage, to: ServerResponse, then: () => unknown): void {
  let size = 0
  answer.on('data', (chunk: Buffer) => {
    if (size < SOME) to.write(chunk.subarray(0, SOME - size))
    size += chunk.length
    if (size >= SOME) setImmediate(then)
  })
}

/** Starts a server that neither accepts nor refuses connections, like a firewall that drops everything. */
export async function startDeafServer(): Promise<string> {
  const code = `require('node:net').createServer().listen({port: 0, host: '127.0.0.1', backlog: 1}, function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [text] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(text.toString())
  child.kill('SIGSTOP')
  const waiting = Array.from({ length: 8 }, () =>
    createConnection(port, '127.0.0.1').on('error', () => undefined),
  )
  afterwards(async () => {
    child.kill('SIGKILL')
    waiting.forEach((each) => each.destroy())
  })
  return `http://127.0.0.1:${port}`
}
