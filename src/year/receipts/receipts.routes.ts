import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { ownPath } from '../../next-urls.ts'
import { may } from '../../rights.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { idIn } from '../../server/http/ids.ts'
import { userOf } from '../../server/http/permit.ts'
import { id, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { findTeachable, listKinds, removeLayout, teachLayout } from './layouts.db.ts'
import { acceptReceipt, getReceipt, refuseReceipt } from './receipts.db.ts'

type Address = { Params: { receipt: string } }
type OfLayout = { Params: { layout: string } }

const Act = z.object({ next: z.unknown().optional() })
const Accept = Act.extend({ duty: id })

const choice = z.string('Genindlæs siden.').max(20, 'Genindlæs siden.').default('')
const Teach = z.object({
  obligation: z.preprocess((value) => (value === '' ? undefined : value), id),
  title: choice.refine((key) => key !== '', 'Vælg en linje.'),
  cvr: choice.refine((key) => key !== '', 'Peg på CVR-nummeret.'),
  period: choice,
  day: choice,
  number: choice,
})

/** Adds what the office does about receipts that are found. */
export function addReceipts(app: FastifyInstance, { db }: Parts): void {
  const see = { config: { right: 'seeObligations' } } as const
  const edit = { config: { right: 'editObligations' } } as const

  const show = async (request: FastifyRequest<Address>, reply: FastifyReply, refused?: Refused) => {
    const reader = userOf(request)
    const receipt = await getReceipt(db, reader, idIn(request.params.receipt))
    const isTaught = receipt.why === 'unknown' && may(reader.role, 'editObligations')
    const props = {
      receipt,
      teachable: await findTeachable(db, receipt.id),
      kinds: isTaught ? await listKinds(db) : null,
      ...(refused && { refused }),
    }
    return reply.page('receipt', props, 'Kvittering')
  }
  app.get<Address>(urls.receipt(':receipt'), see, (request, reply) => show(request, reply))

  app.post<Address>(urls.receiptAct(':receipt', 'accept'), see, (request, reply) =>
    submit(request, reply, async () => {
      const { duty, next } = validate(Accept, request.body)
      await acceptReceipt(db, visitOf(request), idIn(request.params.receipt), duty)
      return next === undefined ? urls.yearList : ownPath(next)
    }),
  )
  for (const act of ['refuse', 'take-back'] as const)
    app.post<Address>(urls.receiptAct(':receipt', act), see, (request, reply) =>
      submit(request, reply, async () => {
        const { next } = validate(Act, request.body)
        await refuseReceipt(db, visitOf(request), idIn(request.params.receipt), act === 'refuse')
        return next === undefined ? urls.yearList : ownPath(next)
      }),
    )
  app.post<Address>(urls.receiptAct(':receipt', 'teach'), edit, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const pointed = validate(Teach, request.body)
        await teachLayout(db, visitOf(request), idIn(request.params.receipt), pointed)
        return urls.receipt(idIn(request.params.receipt))
      },
      (refused) => show(request, reply, refused),
    ),
  )
  app.post<OfLayout>(urls.removeReceiptLayout(':layout'), edit, (request, reply) =>
    submit(request, reply, async () => {
      await removeLayout(db, visitOf(request), idIn(request.params.layout))
      return urls.yearRules
    }),
  )
}
