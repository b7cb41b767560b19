import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { ownerOf, answerChange } from '../../files/change/change.routes.ts'
import { CHANGE_FIELDS } from '../../files/calls/file-answers.server.ts'
import { ofOwner } from '../../files/calls/file-calls.server.ts'
import { optionalPeriod } from '../../projects/expected/expected-forms.server.ts'
import { editIn, WAS } from '../../server/edits.ts'
import { idIn } from '../../server/http/ids.ts'
import type { ProgramCall } from '../../server/http/program-call.ts'
import { flag, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { fileUrls, type Owner } from '../../urls.ts'
import { changePeriod } from './period.db.ts'

const SET_PERIOD = {
  scope: 'manage',
  id: 'setOwnerFilePeriod',
  chapter: 'changes',
  summary: 'Ret perioden for en fil hos en ejer',
  body: z.object({
    period: optionalPeriod
      .optional()
      .meta({ description: 'Perioden, fx 2025, 2024/25 eller Q3 2026; tom for ingen.', examples: ['2025'] }),
    as_named: flag.meta({
      description: 'Gå tilbage til den periode, som navnet siger. Så er period uden betydning.',
    }),
    was: WAS,
  }),
  answer: z.strictObject({
    ...CHANGE_FIELDS,
    period: z
      .string()
      .nullable()
      .meta({ examples: ['2026-Q3'] }),
    is_period_given: z.boolean().meta({ description: 'Om perioden er en anden, end navnet siger.' }),
  }),
  example: { body: { period: 'Q3 2026' } },
} as const satisfies ProgramCall

const AsNamed = SET_PERIOD.body.pick({ as_named: true })
const Given = SET_PERIOD.body.required({ period: true })

type Address = { Params: { project?: string; user?: string; file: string } }

/** Adds the routes that correct the period of a file of a project or a person. */
export function addPeriods(app: FastifyInstance, { db }: Parts): void {
  const optionsOf = (owner: Owner) => ({
    config: { right: 'changeFiles' as const, program: ofOwner(owner, SET_PERIOD) },
  })
  const add = (owner: Owner) =>
    app.post<Address>(fileUrls.period(owner, ':file'), optionsOf(owner), (request) =>
      answerChange(() => {
        const { as_named: isAsNamed } = validate(AsNamed, request.body)
        const wanted = isAsNamed ? 'as-named' : validate(Given, request.body).period
        const edit = isAsNamed ? null : editIn(request.body)
        return changePeriod(db, visitOf(request), ownerOf(request), idIn(request.params.file), wanted, edit)
      }),
    )
  add({ project: ':project' })
  add({ user: ':user' })
}
