import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { dayOf } from '../../base/time/dates.ts'
import { readDay } from '../../base/time/days.ts'
import { redirectToWaiting, type Gate, type GatedAct, type Outcome } from '../../access/gate.ts'
import { visitOf } from '../../access/visit.routes.ts'
import { actorOf } from '../../log/actor.routes.ts'
import { boundsOf } from '../../log/words/named-period.ts'
import { hasOwnFiles, type Right } from '../../rights.ts'
import { editIn } from '../../server/edits.ts'
import { notFound } from '../../server/http/errors.ts'
import { requireFreshProof } from '../../server/http/fresh-proof.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { email, flag, line, list, optionalLine, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { keepInvitationLink } from '../user/invitation-link.routes.ts'
import { CHANGE_LENDING_ACT, LEND_ACT } from '../user-acts.server.ts'
import { getUser } from '../user/users.db.ts'
import { getLending, listFolderNames, listLendings, takeBack } from './lend.db.ts'
import { MOST_FOLDERS, type Terms } from './lending.ts'
import type { LenderInForm } from './terms-fields.tsx'

type Address = { Params: { user?: string; lending: string } }
type Call = FastifyRequest<{ Params: { user?: string; lending?: string } }>

const PersonForm = z.object({ name: line('Navnet'), email })

/** The terms, with the day as it was typed and the folders to choose from. */
const termsFormOf = (folders: readonly string[], now: Date, timeZone: string) =>
  z
    .object({
      what: z.enum(['everything', 'chosen'], { error: 'Vælg, hvad der er adgang til.' }),
      folders: list(
        line('Mappens navn').refine((name) => folders.includes(name), { error: 'Vælg mapper fra listen.' }),
        MOST_FOLDERS,
      ),
      own_files: flag,
      mails: flag,
      until: optionalLine('Skriv datoen som dd/mm/åååå.', 40, 'Skriv datoen som dd/mm/åååå.').default(''),
    })
    .transform(({ what, folders: names, own_files: withOwn, mails, until }, context): Terms => {
      const isAll = what === 'everything'
      if (!isAll && names.length === 0 && !withOwn)
        context.addIssue({
          code: 'custom',
          path: ['folders'],
          message: 'Vælg mindst én mappe eller de egne filer.',
        })
      const read = readDay(until)
      const fault =
        'fault' in read
          ? read.fault
          : read.day !== null && read.day < dayOf(now, timeZone)
            ? 'Den dag er gået. Vælg en dag fra i dag.'
            : null
      if (fault !== null) context.addIssue({ code: 'custom', path: ['until'], message: fault })
      const day = 'day' in read ? read.day : null
      return {
        is_everything: isAll,
        folder_names: [...new Set(names)],
        with_own_files: withOwn,
        gets_mails: mails,
        until: day === null ? null : boundsOf({ from: null, to: day }, timeZone).before,
      }
    })

/** The same pages for an investor at their profile, and for an administrator at the investor. */
const HOMES = [
  { home: () => urls.ownLendings, route: urls.ownLendings, right: 'lendAccess' },
  { home: (lender: number) => urls.lendings(lender), route: urls.lendings(':user'), right: 'editUsers' },
] as const satisfies { home: (lender: number) => string; route: string; right: Right }[]

/** Adds the pages where access is lent, changed and taken back. */
export function addLending(app: FastifyInstance, parts: Parts, gate: Gate): void {
  const { db, config } = parts
  const sendsMail = config.smtpUrl !== null

  /** Finds whose access it is. Nobody but investors has something to lend. */
  async function lenderOf(request: Call): Promise<LenderInForm> {
    const me = userOf(request)
    if (request.params.user === undefined) return { id: me.id, name: me.name, isOwn: true, isActive: true }
    const lender = await getUser(db, me, idIn(request.params.user))
    if (!hasOwnFiles(lender.role)) throw notFound('Kun en investor kan give andre adgang.')
    return { id: lender.id, name: lender.name, isOwn: false, isActive: !lender.deactivated }
  }

  /** The office may need a colleague's approval. What investors lend is theirs. */
  const carryOut = async <Params, Result>(
    request: Call,
    { isOwn }: LenderInForm,
    act: GatedAct<Params, Result>,
    params: Params,
  ): Promise<Outcome<Result>> =>
    isOwn
      ? { asked: null, result: await act.run(db, parts, visitOf(request), params) }
      : gate.carryOut(visitOf(request), act, params)

  for (const { home, route, right } of HOMES) {
    const may = { config: { right } } as const

    const show = async (request: Call, reply: FastifyReply, refused?: Refused) => {
      const lender = await lenderOf(request)
      const { done } = request.query as { done?: unknown }
      const { lending } = request.params
      const edited = lending === undefined ? null : await getLending(db, lender.id, idIn(lending))
      return reply.page(
        'lendings',
        {
          lender,
          home: home(lender.id),
          lendings: await listLendings(db, { lender: lender.id }),
          edited: edited?.id ?? null,
          folders: withChosen(await listFolderNames(db, lender.id), edited?.folder_names ?? []),
          leaving: { minutes: config.releaseRegretMinutes, sendsMail },
          isDone: done === 'lent',
          ...(refused && { refused }),
        },
        'Adgang for andre',
      )
    }

    for (const address of [route, urls.lending(route, ':lending')])
      app.get<Address>(address, may, (request, reply) => show(request, reply))

    app.post<Address>(route, may, (request, reply) =>
      submit(
        request,
        reply,
        async () => {
          requireFreshProof(request)
          const lender = await lenderOf(request)
          const folders = await listFolderNames(db, lender.id)
          const form = z.intersection(PersonForm, termsFormOf(folders, new Date(), config.timeZone))
          const { name, email: address, ...terms } = validate(form, request.body)
          const lending = { lender: lender.id, person: { name, email: address }, terms }
          const { asked, result } = await carryOut(request, lender, LEND_ACT, lending)
          if (asked) return redirectToWaiting(asked)
          const { adviserId, invitation } = result
          keepInvitationLink(reply, parts, adviserId, invitation)
          return invitation === null ? `${home(lender.id)}?done=lent` : urls.user(adviserId)
        },
        (refused) => show(request, reply, refused),
      ),
    )

    app.post<Address>(urls.lending(route, ':lending'), may, (request, reply) =>
      submit(
        request,
        reply,
        async () => {
          requireFreshProof(request)
          const lender = await lenderOf(request)
          const lending = await getLending(db, lender.id, idIn(request.params.lending))
          const folders = withChosen(await listFolderNames(db, lender.id), lending.folder_names)
          const terms = validate(termsFormOf(folders, new Date(), config.timeZone), request.body)
          const change = { lender: lender.id, lending: lending.id, terms, edit: editIn(request.body) }
          const { asked } = await carryOut(request, lender, CHANGE_LENDING_ACT, change)
          return asked ? redirectToWaiting(asked) : home(lender.id)
        },
        (refused) => show(request, reply, refused),
      ),
    )

    app.post<Address>(urls.takeBack(route, ':lending'), may, (request, reply) =>
      submit(request, reply, async () => {
        const lender = await lenderOf(request)
        await takeBack(db, parts, actorOf(request), lender.id, idIn(request.params.lending))
        return home(lender.id)
      }),
    )
  }
}

/** A folder that was chosen before stays on offer, also if no folder has its name any more. */
const withChosen = (folders: string[], chosen: readonly string[]) => [...new Set([...folders, ...chosen])]
