import {
  Agent as PlainAgent,
  request as plainRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as SafeAgent, request as safeRequest } from 'node:https'
import { Webhook } from 'standardwebhooks'
import { cleanLines } from '../../base/text.ts'
import { MOST_ANSWER, type Outcome, type SendFault } from './hook.ts'
import { findTarget, lookupOf, TargetFault, type Resolve, type Target } from './target.server.ts'

export type Message = {
  url: string
  /** The present one, and for a day the one before it. */
  secrets: string[]
  id: string
  body: string
}

export type Sending = {
  /** The networks of our own that may be sent to. */
  networks: readonly string[]
  /** A replacement for tests. */
  resolve?: Resolve
  patienceMs?: number
}

/** For finding the name, connecting, sending and the whole answer together. */
const PATIENCE_MS = 10_000
/** No honest answer is longer. */
const MOST_BYTES = 64 * 1024
const MOST_HEADER_BYTES = 16 * 1024
/** How often a receiver may say that its answer is under way (1xx). */
const MOST_HINTS = 10

class Garbled extends Error {}

/**
 * Sends a message once. Never throws: whatever goes wrong is the outcome. The status alone decides, so an answer that never
 * ends is cut, and counts.
 */
export async function sendMessage(message: Message, sending: Sending): Promise<Outcome> {
  const { patienceMs = PATIENCE_MS } = sending
  const begun = performance.now()
  const took = () => Math.round(performance.now() - begun)
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), patienceMs)
  try {
    const target = await beforeAbort(findTarget(message.url, sending), deadline.signal)
    const { status, answer } = await post(target, message, deadline.signal)
    return { status, fault: null, answer, tookMs: took() }
  } catch (error) {
    const fault = deadline.signal.aborted ? 'too-slow' : faultOf(error)
    return { status: null, fault, answer: '', tookMs: took() }
  } finally {
    clearTimeout(timer)
  }
}

/** Headers of the Standard Webhooks specification: https://www.standardwebhooks.com. */
function signedHeaders({ id, secrets, body }: Omit<Message, 'url'>, at: Date): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}

async function post(
  { url, addresses }: Target,
  message: Message,
  signal: AbortSignal,
): Promise<{ status: number; answer: string }> {
  const isSafe = url.protocol === 'https:'
  const options = {
    method: 'POST',
    headers: {
      ...signedHeaders(message, new Date()),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(message.body),
      'user-agent': 'Ringbind',
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: 'close',
    },
    lookup: lookupOf(addresses),
    // Its own agent, without a proxy from the environment and without connections to addresses checked earlier.
    agent: isSafe ? new SafeAgent({ keepAlive: false }) : new PlainAgent({ keepAlive: false }),
    maxHeaderSize: MOST_HEADER_BYTES,
    signal,
    ...(isSafe && { rejectUnauthorized: true }),
  }
  const request = (isSafe ? safeRequest : plainRequest)(url, options)
  request.end(message.body)
  const response = await answerTo(request)
  const answer = await readBeginning(response)
  request.destroy()
  return { status: response.statusCode ?? 0, answer }
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  let hints = 0
  return new Promise((resolve, reject) => {
    request
      .on('information', () => {
        if (++hints > MOST_HINTS) request.destroy(new Garbled('The answer never begins.'))
      })
      .once('response', resolve)
      // An error after the answer has begun does not change it.
      .on('error', reject)
      // The receiver hung up, or wants another protocol.
      .once('close', () => reject(new Error('There was no answer.')))
  })
}

/** Reads until the answer ends, is long enough, breaks off or takes too long. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      length += part.length
      if (length >= MOST_BYTES) break
    }
  } catch {
    // The part that was read is enough.
  }
  // A letter takes at most four bytes.
  const text = Buffer.concat(parts)
    .subarray(0, 4 * MOST_ANSWER)
    .toString('utf8')
  return cleanLines(text).slice(0, MOST_ANSWER).toWellFormed()
}

function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('It took too long.')), { once: true })
    work.then(resolve, reject)
  })
}

function faultOf(error: unknown): SendFault {
  if (error instanceof TargetFault) return error.kind === 'no-such-host' ? 'no-such-host' : 'not-allowed'
  const { code = '' } = error as { code?: string }
  if (error instanceof Garbled || code.startsWith('HPE_')) return 'garbled'
  if (/CERT|^ERR_(TLS|SSL)|^UNABLE_TO|SIGNATURE|^EPROTO$/.test(code)) return 'insecure'
  return 'unreachable'
}
