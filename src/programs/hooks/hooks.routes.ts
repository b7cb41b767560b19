import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actorOf } from '../../log/actor.routes.ts'
import { editIn } from '../../server/edits.ts'
import { idIn } from '../../server/http/ids.ts'
import { requireFreshProof } from '../../server/http/fresh-proof.ts'
import { pageQueryOf } from '../../server/http/list-query.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { validate } from '../../server/http/validate.ts'
import { wantsJson } from '../../server/http/wants-json.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { beginTest, listDeliveries, noteTest, sendAgain } from './deliveries.db.ts'
import { faultsOfUrl, HookForm } from './hook-form.server.ts'
import type { Outcome } from './hook.ts'
import {
  addHook,
  changeHook,
  getHook,
  removeHook,
  renewSecret,
  switchHook,
  type HookFields,
} from './hooks.db.ts'
import { sendMessage } from './send.server.ts'

type Address = { Params: { hook: string } }
type DeliveryAddress = { Params: { hook: string; delivery: string } }

const COOKIE = 'hook-secret'
/** How long the cookie lives: long enough to load the next page. */
const COOKIE_SECONDS = 60
const SECRET = /^whsec_[\w+/=]{40,60}$/

/** Adds the pages where an administrator manages webhooks. */
export function addHooks(app: FastifyInstance, { db, config, https }: Parts): void {
  const edit = { config: { right: 'editHooks' } } as const
  const sending = { networks: config.hookNetworks ?? [] }
  const cookieAt = (id: number) =>
    ({ path: urls.hook(id), httpOnly: true, sameSite: 'strict', secure: https }) as const

  /** Kept in a cookie, so that it is in no address and no log. */
  function showSecretNext(reply: FastifyReply, id: number, secret: string): void {
    void reply.setCookie(COOKIE, secret, { ...cookieAt(id), maxAge: COOKIE_SECONDS })
  }

  /** Returns the secret that was just made in this browser, once. */
  function takeSecret(request: FastifyRequest, reply: FastifyReply, id: number): string | null {
    const secret = request.cookies[COOKIE]
    if (secret === undefined || !SECRET.test(secret)) return null
    void reply.clearCookie(COOKIE, cookieAt(id))
    return secret
  }

  async function readForm(request: FastifyRequest): Promise<HookFields> {
    return validate(HookForm, request.body, await faultsOfUrl(request.body, sending.networks))
  }

  const showForm = async (reply: FastifyReply, id: number | null, refused?: Refused) => {
    const hook = id === null ? null : await getHook(db, id)
    return reply.page('edit-hook', { hook, ...(refused && { refused }) }, hook ? hook.name : 'Ny webhook')
  }

  app.get(urls.newHook, edit, (_request, reply) => showForm(reply, null))

  app.post(urls.newHook, edit, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const fields = await readForm(request)
        requireFreshProof(request) // the receiver gets messages even after the sign-out
        const { id, secret } = await addHook(db, actorOf(request), fields)
        showSecretNext(reply, id, secret)
        return urls.hook(id)
      },
      (refused) => showForm(reply, null, refused),
    ),
  )

  app.get<Address>(urls.editHook(':hook'), edit, (request, reply) =>
    showForm(reply, idIn(request.params.hook)),
  )

  app.post<Address>(urls.editHook(':hook'), edit, (request, reply) => {
    const id = idIn(request.params.hook)
    return submit(
      request,
      reply,
      async () => {
        await getHook(db, id)
        const fields = await readForm(request)
        requireFreshProof(request)
        await changeHook(db, actorOf(request), id, fields, editIn(request.body))
        return urls.hook(id)
      },
      (refused) => showForm(reply, id, refused),
    )
  })

  const show = async (request: FastifyRequest, reply: FastifyReply, id: number, trial?: Outcome) => {
    const hook = await getHook(db, id)
    const deliveries = await listDeliveries(db, id, pageQueryOf(request, []).page)
    const secret = takeSecret(request, reply, id)
    return reply.page('hook', { hook, deliveries, secret, ...(trial && { trial }) }, hook.name)
  }

  app.get<Address>(urls.hook(':hook'), edit, (request, reply) =>
    show(request, reply, idIn(request.params.hook)),
  )

  app.post<Address>(urls.hookAct(':hook', 'secret'), edit, (request, reply) =>
    submit(request, reply, async () => {
      const id = idIn(request.params.hook)
      requireFreshProof(request)
      showSecretNext(reply, id, await renewSecret(db, actorOf(request), id))
      return urls.hook(id)
    }),
  )

  app.post<Address>(urls.hookAct(':hook', 'test'), edit, async (request, reply) => {
    const id = idIn(request.params.hook)
    const message = await beginTest(db, id)
    const trial = await sendMessage(message, sending)
    await noteTest(db, id, message, trial)
    return wantsJson(request) ? reply.send({ trial }) : show(request, reply, id, trial)
  })

  addHookActs(app, db)
}

/** The acts of a hook's page that lead back to it. */
function addHookActs(app: FastifyInstance, db: Parts['db']): void {
  const edit = { config: { right: 'editHooks' } } as const

  for (const act of ['on', 'off'] as const)
    app.post<Address>(urls.hookAct(':hook', act), edit, (request, reply) =>
      submit(request, reply, async () => {
        const id = idIn(request.params.hook)
        await switchHook(db, actorOf(request), id, act === 'on')
        return urls.hook(id)
      }),
    )

  app.post<Address>(urls.hookAct(':hook', 'remove'), edit, (request, reply) =>
    submit(request, reply, async () => {
      await removeHook(db, actorOf(request), idIn(request.params.hook))
      return urls.programs
    }),
  )

  app.post<DeliveryAddress>(urls.sendHookAgain(':hook', ':delivery'), edit, (request, reply) =>
    submit(request, reply, async () => {
      const id = idIn(request.params.hook)
      await sendAgain(db, id, idIn(request.params.delivery))
      return urls.hook(id)
    }),
  )
}
