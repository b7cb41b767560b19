import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { dayOf } from '../../base/time/dates.ts'
import { findOffice } from '../../office/office.db.ts'
import { notFound } from '../../server/http/errors.ts'
import { requireFreshProof } from '../../server/http/fresh-proof.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit } from '../../server/http/forms/submit.ts'
import { flag, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { endFeed, findFeed, findFeedReader, listFeed, makeFeed } from './calendar-feeds.db.ts'

type Address = { Params: { secret: string } }

const FeedForm = z.object({ shows_all: flag })

const SECRET = /^[\w-]{16,64}$/
const COOKIE = 'calendar'
/** How long the cookie lives: long enough to load the next page. */
const COOKIE_SECONDS = 60

/** Adds a person's calendar: the page where they get its address, and the address itself. */
export function addCalendar(app: FastifyInstance, { db, config, https }: Parts): void {
  const own = { config: { right: 'seeObligations' } } as const
  const cookie = { path: urls.ownCalendar, httpOnly: true, sameSite: 'strict', secure: https } as const

  /** Returns the secret that was just made in this browser, once. */
  function takeSecret(request: FastifyRequest, reply: FastifyReply): string | null {
    const secret = request.cookies[COOKIE]
    if (secret === undefined || !SECRET.test(secret)) return null
    void reply.clearCookie(COOKIE, cookie)
    return secret
  }

  app.get(urls.ownCalendar, own, async (request, reply) => {
    const secret = takeSecret(request, reply)
    return reply.page(
      'calendar',
      {
        feed: await findFeed(db, userOf(request).id),
        newAddress: secret === null ? null : config.appUrl + urls.calendar(secret),
      },
      'Frister i din kalender',
    )
  })

  app.post(urls.ownCalendar, own, (request, reply) =>
    submit(request, reply, async () => {
      requireFreshProof(request) // the address keeps working after the sign-out
      const { shows_all: showsAll } = validate(FeedForm, request.body)
      const secret = await makeFeed(db, visitOf(request), showsAll)
      // Kept in a cookie, so that it is in no address and no log.
      void reply.setCookie(COOKIE, secret, { ...cookie, maxAge: COOKIE_SECONDS })
      return urls.ownCalendar
    }),
  )

  app.post(urls.endCalendar, own, (request, reply) =>
    submit(request, reply, async () => {
      await endFeed(db, visitOf(request))
      return urls.ownCalendar
    }),
  )

  app.get<Address>(urls.calendar(':secret'), { config: { right: 'visit' } }, async (request, reply) => {
    const { secret } = request.params
    const reader = SECRET.test(secret) ? await findFeedReader(db, secret) : null
    if (!reader) throw notFound('Adressen til kalenderen virker ikke mere.')
    const { name: office } = await findOffice(db)
    const today = dayOf(new Date(), config.timeZone)
    const due = await listFeed(db, reader, today)
    const { writeCalendar } = await import('./calendar.server.ts')
    return reply
      .headers({
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'inline; filename="frister.ics"',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(writeCalendar(due, { appUrl: config.appUrl, office, today }))
  })
}
