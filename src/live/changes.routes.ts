import type { FastifyInstance } from 'fastify'
import { expiryOf } from '../accounts/session/session-expiry.ts'
import { findSession } from '../accounts/session/sessions.db.ts'
import { ticketOf } from '../accounts/session/session-cookie.routes.ts'
import { signedOutText } from '../base/signed-out.ts'
import { Listener } from '../server/database/listener.ts'
import { networkOf } from '../server/http/address.ts'
import { notFound, Refusal, tooMany } from '../server/http/errors.ts'
import { openEventStream } from '../server/http/event-stream.ts'
import { userOf } from '../server/http/permit.ts'
import type { Parts } from '../server/parts.ts'
import { PATIENCE } from '../server/process/patience.ts'
import { urls } from '../urls.ts'
import { findMarks, findNextEnd } from './interest.db.ts'
import { readTopic } from './interest.ts'
import { LiveStreams, type Granted } from './live-streams.server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The position of the changes when the request arrived, before it read anything. */
    seenChanges: () => string
  }
}

const CHANNEL = 'ringbind_changes'
const UNKNOWN = () => ''

/** Adds the streams that tell open pages about changes. */
export function addChanges(app: FastifyInstance, { db, https, config, patience = PATIENCE }: Parts): void {
  const streams = new LiveStreams(patience.streams)
  // It connects when the first page listens.
  const listener = new Listener(db, {
    channel: CHANNEL,
    onNotification: (text) => streams.take(text),
    onGap: () => streams.takeAnything(),
  })
  const expiry = expiryOf(config)
  app.decorateRequest('seenChanges', UNKNOWN)
  app.addHook('onRequest', (request, _reply, done) => {
    if (listener.isListening) request.seenChanges = streams.positionAt.bind(streams, streams.count)
    done()
  })
  app.addHook('preClose', (done) => {
    streams.close()
    done()
  })
  app.addHook('onClose', () => listener.stop())

  app.get<{ Querystring: { about?: unknown; since?: unknown } }>(
    urls.changes,
    // Not for HEAD, which would get an answer that never ends.
    { config: { right: 'enter', staysOpen: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const about = readTopic(request.query.about)
      if (!about) throw notFound('Det kan man ikke følge.')
      const ticket = ticketOf(request, https)!
      const who = { user: userOf(request).id, network: networkOf(request.ip) }
      await listener.listen()
      if (!streams.hasRoom(who)) throw tooMany(60, 'Der er for mange sider åbne.')
      const check = async (): Promise<Granted> => {
        const session = await findSession(db, ticket, expiry)
        // After a view ends the session is the administrator's again, so close this stream.
        if (session?.user.id !== who.user) return null
        const end = await findNextEnd(db, session.user)
        const until = end && end < session.endsAt ? end : session.endsAt
        return { marks: await findMarks(db, session.user, about), until }
      }
      const since = request.headers['last-event-id'] ?? request.query.since
      const isAdded = await streams.add(
        { ...who, check },
        typeof since === 'string' ? since : '',
        (onClose) => openEventStream(reply, onClose),
      )
      if (!isAdded) throw new Refusal(401, signedOutText())
      return reply
    },
  )
}
