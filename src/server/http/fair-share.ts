import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from './address.ts'
import { addAnswerTurns, clientOf } from './answer-turns.ts'
import { hasBody, setDeadline, setLeastSpeed, whenOver } from './connections.ts'
import { Refusal, tooMany } from './errors.ts'
import { FORM_BYTES } from './form-body.ts'
import type { Patience } from '../process/patience.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Files come here as a stream, however large: they have no deadline, but a least speed. */
    receivesFiles?: boolean
  }
}

/** A file that is being received holds about so much, however large it is. */
const STREAM_BYTES = 256 * 1024
/** Of a form that is larger than most, so much is expected in a second. */
const FORM_BYTES_PER_SECOND = 20_000

const busy = () => tooMany(5, 'Du sender for meget på én gang. Vent et øjeblik, og prøv igen.')

/** No bodies are inflated: a few bytes could become any number. Before anything is read. What is refused is heard. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  // Fastify would close the connection on whoever is still sending, and they would not hear why.
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (!raw.complete) {
      void reply.removeHeader('connection')
      reply.raw.shouldKeepAlive = true // until the rest is read, also when the client wants to have it closed: as nginx does
    }
    done(null, payload)
  })
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
    const isPlain = encoding === '' || encoding === 'identity'
    done(isPlain ? undefined : new Refusal(415, 'Det, der sendes, må ikke være komprimeret.'))
  })
}

/** Each client has its share of the server: of requests under way, of memory, and of turns to be answered. Once it is known who asks. */
export function addFairShares(app: FastifyInstance, patience: Patience): void {
  const underWay = new Shares(Infinity, patience.requestsEach)
  const held = new Shares(patience.heldBytes.all, patience.heldBytes.each)
  addAnswerTurns(app, patience.answeringEach)

  app.addHook('onRequest', (request, reply, done) => {
    const network = networkOf(request.ip)
    const client = clientOf(request)
    const bytes = heldBy(request)
    if (!underWay.take(network, 1)) return done(busy())
    whenOver(request.raw, reply.raw, () => underWay.give(network, 1))
    if (!held.take(client, bytes)) return done(busy())
    whenOver(request.raw, reply.raw, () => held.give(client, bytes))
    if (hasBody(request.raw)) giveTime(request, reply.raw)
    done()
  })

  /** Only now: the deadline is short for whoever may not send here. */
  function giveTime({ raw, routeOptions }: FastifyRequest, response: ServerResponse): void {
    const { config, bodyLimit } = routeOptions
    if (config.receivesFiles) setLeastSpeed(raw, response, patience.upload)
    else if (bodyLimit > FORM_BYTES)
      setDeadline(raw, response, patience.bodyMs + (bodyLimit / FORM_BYTES_PER_SECOND) * 1000)
  }

  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.receivesFiles || request.routeOptions.config.quiet) return undefined
    await request.takeTurn()
    // Nobody is there any more to be shown it.
    if (request.socket.destroyed && ['GET', 'HEAD'].includes(request.method)) return reply.hijack()
    return undefined
  })
}

function heldBy({ raw, routeOptions }: FastifyRequest): number {
  if (!hasBody(raw)) return 0
  if (routeOptions.config.receivesFiles) return STREAM_BYTES
  return Math.min(Number(raw.headers['content-length'] ?? Infinity), routeOptions.bodyLimit ?? FORM_BYTES)
}

/** How much each of many has of something that there is only so much of. */
class Shares {
  #all: number
  #each: number
  #taken = new Map<string, number>()
  #sum = 0

  constructor(all: number, each: number) {
    this.#all = all
    this.#each = each
  }

  /** False: there is not so much left. */
  take(key: string, amount: number): boolean {
    if (amount === 0) return true
    const before = this.#taken.get(key) ?? 0
    const own = before + amount
    // One of them may be larger than the share: a route may take more.
    if ((before > 0 && own > this.#each) || this.#sum + amount > this.#all) return false
    this.#sum += amount
    this.#taken.set(key, own)
    return true
  }

  give(key: string, amount: number): void {
    if (amount === 0) return
    this.#sum -= amount
    const left = this.#taken.get(key)! - amount
    if (left > 0) this.#taken.set(key, left)
    else this.#taken.delete(key)
  }
}
