import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addAnswerTurns, clientOf } from '../answer-turns.ts'
import { hasBody, setDeadline, setLeastSpeed, whenOver } from '../connections.ts'
import { Refusal, tooMany } from '../errors.ts'
import { FORM_BYTES } from '../forms/form-body.ts'
import type { Patience } from '../../process/patience.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route receives files as a stream: they have a least speed instead of a deadline. */
    receivesFiles?: boolean
  }
}

/** About how much memory a file takes while it is received, whatever its size. */
const STREAM_BYTES = 256 * 1024
/** How fast a large form must arrive, in bytes per second. */
const FORM_BYTES_PER_SECOND = 20_000

const busy = () => tooMany(5, 'Du sender for meget på én gang. Vent et øjeblik, og prøv igen.')

/** Refuses compressed bodies before reading them: a few bytes could become any number. The client hears the answer. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  // Fastify would close the connection while the client is still sending, and the client would not hear why.
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (!raw.complete) {
      void reply.removeHeader('connection')
      reply.raw.shouldKeepAlive = true // until the rest is read, even if the client asked to close it, as nginx does
    }
    done(null, payload)
  })
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
    const isPlain = encoding === '' || encoding === 'identity'
    done(isPlain ? undefined : new Refusal(415, 'Det, der sendes, må ikke være komprimeret.'))
  })
}

/** Gives each client a share of running requests, memory and turns. Runs after the client is known. */
export function addFairShares(app: FastifyInstance, patience: Patience): void {
  const underWay = new Shares(Infinity, patience.requestsEach)
  const held = new Shares(patience.heldBytes.all, patience.heldBytes.each)
  addAnswerTurns(app, patience.answeringEach)

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.staysOpen) return done()
    // A stranger's made-up sessions share what the network has.
    const { who } = clientOf(request)
    const bytes = heldBy(request)
    if (!underWay.take(who, 1)) return done(busy())
    whenOver(request.raw, reply.raw, () => underWay.give(who, 1))
    if (!held.take(who, bytes)) return done(busy())
    whenOver(request.raw, reply.raw, () => held.give(who, bytes))
    if (hasBody(request.raw)) giveTime(request, reply.raw)
    done()
  })

  /** Only now, so that a client without the right has the short deadline. */
  function giveTime({ raw, routeOptions }: FastifyRequest, response: ServerResponse): void {
    const { config, bodyLimit } = routeOptions
    if (config.receivesFiles) setLeastSpeed(raw, response, patience.upload)
    else if (bodyLimit > FORM_BYTES)
      setDeadline(raw, response, patience.bodyMs + (bodyLimit / FORM_BYTES_PER_SECOND) * 1000)
  }

  app.addHook('preHandler', async (request, reply) => {
    const { receivesFiles, quiet, staysOpen } = request.routeOptions.config
    if (receivesFiles || quiet || staysOpen) return undefined
    await request.takeTurn()
    // The client has gone.
    if (request.socket.destroyed && ['GET', 'HEAD'].includes(request.method)) return reply.hijack()
    return undefined
  })
}

function heldBy({ raw, routeOptions }: FastifyRequest): number {
  if (!hasBody(raw)) return 0
  if (routeOptions.config.receivesFiles) return STREAM_BYTES
  return Math.min(Number(raw.headers['content-length'] ?? Infinity), routeOptions.bodyLimit ?? FORM_BYTES)
}

/** Counts each client's share of a limited amount. */
class Shares {
  #all: number
  #each: number
  #taken = new Map<string, number>()
  #sum = 0

  constructor(all: number, each: number) {
    this.#all = all
    this.#each = each
  }

  /** Returns false if not enough is left. */
  take(key: string, amount: number): boolean {
    if (amount === 0) return true
    const before = this.#taken.get(key) ?? 0
    const own = before + amount
    // A single body may be larger than the share, because a route may allow more.
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
