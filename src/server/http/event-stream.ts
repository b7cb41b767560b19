import type { FastifyReply } from 'fastify'
import { whenOver } from './connections.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer stays open, so it takes no share of running requests and no turn. The route has its own limits. */
    staysOpen?: boolean
  }
}

/** An answer that stays open, on which the server sends events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export type EventStream = { send: (text: string) => void; end: (text: string) => void }

/** A client that leaves this much unread is cut off. It reconnects and asks what it has missed. */
const MOST_UNREAD = 16_384

/** Answers with a stream of events. `onClose` is called once, whichever side ends it. */
export function openEventStream(reply: FastifyReply, onClose: () => void): EventStream {
  const { raw, request } = reply
  reply.hijack()
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': request.id,
    'x-accel-buffering': 'no', // nginx would hold events back until it has a page of them
    connection: 'close', // so that the connection ends with the stream
  })
  raw.flushHeaders()
  whenOver(request.raw, raw, onClose)
  return {
    send: (text) => void (raw.writableLength > MOST_UNREAD ? raw.destroy() : raw.write(text)),
    end: (text) => void raw.end(text),
  }
}
