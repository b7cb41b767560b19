import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { networkOf } from './address.ts'
import { FairQueue } from '../process/fair-queue.ts'
import { passBuffer } from '../process/passed-buffers.ts'
import type { Patience } from '../process/patience.ts'

type Options = {
  patience: Patience
  /** Whether an address is a proxy, which many clients share. */
  isProxy: (address: string) => boolean
}

/**
 * Keeps one client from blocking the server: limits connections, sets a deadline for bodies, reads refused bodies on for a
 * while, and cuts off clients that do not read their answer. Uses Node's own events, so that it covers every request.
 */
export function boundConnections(server: Server, { patience, isProxy }: Options): void {
  server.headersTimeout = patience.headersMs
  server.maxConnections = patience.connections.all
  countConnections(server, patience, isProxy)
  cutOffReaders(server, patience)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    setDeadline(request, response, patience.bodyMs)
    // Before Node's own listener, which would read the rest as fast as it arrives.
    response.prependOnceListener('finish', () => readOn(request, patience))
  })
}

function countConnections(server: Server, { connections }: Patience, isProxy: Options['isProxy']): void {
  const counts = new Map<string, number>()
  let all = 0
  server.prependListener('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress)
    const own = counts.get(network) ?? 0
    // Node counts only connections that it accepted itself, not those handed over by a primary.
    const isFull = all >= connections.all
    if (isFull || (own >= connections.each && !isProxy(socket.remoteAddress ?? ''))) {
      socket.destroy()
      return
    }
    all++
    counts.set(network, own + 1)
    socket.once('close', () => {
      all--
      const left = counts.get(network)! - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    })
  })
}

/** Closes an idle connection, unless it is waiting for us. */
function cutOffReaders(server: Server, { readerMs }: Patience): void {
  const answering = new WeakMap<Socket, number>()
  const count = (socket: Socket, by: number) => answering.set(socket, (answering.get(socket) ?? 0) + by)
  server.timeout = readerMs
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })
  server.on('timeout', (socket: Socket) => {
    if (!answering.get(socket) || socket.writableLength > 0) socket.destroy()
  })
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const isUnfinished = (request: IncomingMessage) => !request.complete && !request.destroyed

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** Sets the time by which the whole body must have arrived, replacing an earlier deadline. */
export function setDeadline(request: IncomingMessage, response: ServerResponse, ms: number): void {
  keepTime(
    request,
    setTimeout(() => cutOff(request, response), ms),
  )
}

/** Requires a least speed instead of a deadline, for files. */
export function setLeastSpeed(
  request: IncomingMessage,
  response: ServerResponse,
  { graceMs, windowMs, leastBytes }: Patience['upload'],
): void {
  const { socket } = request
  const parts = 4
  let graces = Math.ceil((graceMs / windowMs) * parts)
  let counts: number[] = []
  keepTime(
    request,
    setInterval(() => {
      if (graces-- > 0) return
      // Bytes that have arrived but are not read yet wait for us.
      counts = request.readableLength > 0 ? [] : [...counts, socket.bytesRead].slice(-parts - 1)
      const isSlow = counts.length > parts && counts.at(-1)! - counts[0]! < leastBytes
      if (isSlow) cutOff(request, response)
    }, windowMs / parts),
  )
}

function keepTime(request: IncomingMessage, timer: NodeJS.Timeout): void {
  const before = timers.get(request)
  timers.set(request, timer)
  if (before) return clearTimeout(before)
  const clear = () => clearTimeout(timers.get(request))
  request.once('end', clear).once('close', clear)
}

/** Answers 408, unless the body is complete or an answer has begun. */
function cutOff(request: IncomingMessage, response: ServerResponse): void {
  clearTimeout(timers.get(request))
  const { socket } = request
  if (!isUnfinished(request)) return
  if (response.headersSent) return void socket.destroy()
  answerOnSocket(socket, '408 Request Timeout', 'Det tog for lang tid at sende. Prøv igen.')
}

/** Bounds what is still read on a connection that got its last answer. */
const LAST_MS = 2000
const LAST_BYTES = 1_000_000
const lastBytes = new WeakMap<Socket, number>()

/**
 * Writes a plain answer where there is no request object, and closes the connection a moment later: closing it while
 * bytes are unread would take the answer away from the client.
 */
export function answerOnSocket(socket: Socket, status: string, text: string): void {
  const last = lastBytes.get(socket)
  if (last !== undefined) {
    if (socket.bytesRead > last) socket.destroy()
    return
  }
  if (!socket.writable) return void socket.destroy()
  lastBytes.set(socket, socket.bytesRead + LAST_BYTES)
  const length = Buffer.byteLength(text) + 1
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${text}\n`,
  )
  const timer = setTimeout(() => socket.destroy(), LAST_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** How often progress is checked. */
const LOOK_MS = 200

/** How much of all refused bodies is read per millisecond, each network in its turn. */
const REFUSED_PIECE = 64 * 1024
const PIECE_MS = 1
const readingOn = new FairQueue({ atOnce: 1 })

/** Reads the rest of a refused body, because many clients read the answer only when they have sent everything. */
function readOn(request: IncomingMessage, { refusedMs, refusedBytes }: Patience): void {
  const { socket } = request
  const network = networkOf(socket.remoteAddress)
  const close = () => /close/i.test(request.headers.connection ?? '') && socket.destroySoon()
  if (!isUnfinished(request)) return void close()
  request.once('end', close)
  const until = performance.now() + refusedMs
  const most = socket.bytesRead + refusedBytes
  request.unpipe()
  let read = 0
  request.on('data', ({ length }: Buffer) => {
    passBuffer(length)
    read += length
    if (read < REFUSED_PIECE) return
    read = 0
    request.pause()
    void readingOn.run(network, () => sleep(PIECE_MS)).then(() => request.resume())
  })
  request.read(0) // tells Node that somebody reads it
  request.resume()
  const timer = setInterval(() => {
    if (performance.now() > until || socket.bytesRead > most) socket.destroy()
  }, LOOK_MS)
  keepTime(request, timer)
}

/** The callbacks of each connection for when it closes. */
const endings = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls `end` once when the request is over: it was answered, or the client has disconnected. Listens to the connection
 * too, because a request that waits behind another on it gets no event.
 */
export function whenOver({ socket }: IncomingMessage, response: ServerResponse, end: () => void): void {
  if (response.closed || socket.destroyed) return end()
  const all = endings.get(socket) ?? new Set()
  if (!endings.has(socket)) socket.once('close', () => all.forEach((each) => each()))
  endings.set(socket, all)
  const once = () => {
    if (all.delete(once)) end()
  }
  all.add(once)
  response.once('close', once)
}
