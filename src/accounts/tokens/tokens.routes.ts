import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { actorOf } from '../../log/actor.routes.ts'
import { mayMakeTokens } from '../../office/office.db.ts'
import { SCOPES, type Scope } from '../../rights.ts'
import { forbidden } from '../../server/http/errors.ts'
import { requireFreshProof } from '../../server/http/fresh-proof.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { flag, line, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { sessionToken } from '../session/session-cookie.routes.ts'
import { LIFETIMES, NAME_LETTERS, SECRET } from './token.ts'
import { addToken, findOwnSecret, listOwnTokens, revokeToken } from './tokens.db.ts'

const COOKIE = 'token'
/** How long the cookie lives: long enough to load the next page. */
const COOKIE_SECONDS = 60

const NO_LIFETIME = 'Vælg, hvor længe nøglen skal virke.'

const NOT_ALLOWED = 'Kontoret har ikke åbnet for nye API-nøgler til investorer og rådgivere.'

const NO_SCOPE = { scopes: ['Vælg mindst én ting, nøglen kan bruges til.'] }

const Scopes = z.object({ read: flag, upload: flag, manage: flag })
const Form = Scopes.extend({
  name: line('Navnet', NAME_LETTERS),
  days: z.enum(LIFETIMES.map(String), { error: NO_LIFETIME }).transform(Number),
})

/** Returns what the form asks for, or throws all its faults. */
function readForm(body: unknown): { name: string; days: number; scopes: Scope[] } {
  const chosen = Scopes.safeParse(body ?? {})
  const isNone = chosen.success && !SCOPES.some((scope) => chosen.data[scope])
  const { name, days, ...form } = validate(Form, body, isNone ? NO_SCOPE : {})
  return { name, days, scopes: SCOPES.filter((scope) => form[scope]) }
}

type Address = { Params: { token: string } }

/** Adds the page of a person's own API keys, and revoking anybody's. */
export function addTokens(app: FastifyInstance, parts: Parts): void {
  const { db, https } = parts
  const own = { config: { right: 'haveTokens' } } as const
  const cookie = { path: urls.ownTokens, httpOnly: true, sameSite: 'strict', secure: https } as const

  /** Returns the secret that was just made in this browser, once, and which key it is of. */
  async function takeSecret(request: FastifyRequest, reply: FastifyReply) {
    const secret = request.cookies[COOKIE]
    if (secret === undefined) return null
    void reply.clearCookie(COOKIE, cookie)
    // A neighbouring host could have planted another one.
    const id = SECRET.test(secret) ? await findOwnSecret(db, userOf(request).id, secret) : null
    return id === null ? null : { id, secret }
  }

  const show = async (request: FastifyRequest, reply: FastifyReply, refused?: Refused) =>
    reply.page(
      'tokens',
      {
        made: await takeSecret(request, reply),
        tokens: await listOwnTokens(db, userOf(request).id),
        mayMake: await mayMakeTokens(db, userOf(request).role),
        now: new Date().toISOString(),
        ...(refused && { refused }),
      },
      'API-nøgler',
    )

  app.get(urls.ownTokens, own, (request, reply) => show(request, reply))

  app.post(urls.ownTokens, own, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        if (!(await mayMakeTokens(db, userOf(request).role))) throw forbidden(NOT_ALLOWED)
        const form = readForm(request.body)
        requireFreshProof(request) // whoever has the key acts on after the sign-out
        const made = {
          device: request.headers['user-agent'] ?? '',
          session: sessionToken(request, https) ?? null,
        }
        const secret = await addToken(db, parts, actorOf(request), userOf(request).id, { ...form, ...made })
        // In a cookie, so that it is in no address of a page and in no log.
        void reply.setCookie(COOKIE, secret, { ...cookie, maxAge: COOKIE_SECONDS })
        return urls.ownTokens
      },
      (refused) => show(request, reply, refused),
    ),
  )

  app.post<Address>(urls.revokeOwnToken(':token'), own, (request, reply) =>
    submit(request, reply, async () => {
      await revokeToken(db, actorOf(request), idIn(request.params.token), userOf(request).id)
      return urls.ownTokens
    }),
  )

  const all = { config: { right: 'editUsers' } } as const

  app.post<Address>(urls.revokeToken(':token'), all, (request, reply) =>
    submit(request, reply, async () => {
      await revokeToken(db, actorOf(request), idIn(request.params.token), null)
      return urls.programs
    }),
  )
}
