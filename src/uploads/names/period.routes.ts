import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { ownerOf, told } from '../../files/change/change.routes.ts'
import { optionalPeriod } from '../../projects/expected/expected-forms.server.ts'
import { idIn } from '../../server/http/ids.ts'
import { flag, validate } from '../../server/http/validate.ts'
import type { Parts } from '../../server/parts.ts'
import { fileUrls, type Owner } from '../../urls.ts'
import { changePeriod } from './period.db.ts'

const Form = z.object({ period: optionalPeriod })
/** Goes back to what the name says, whatever the field has. */
const AsNamed = z.object({ as_named: flag })

type Address = { Params: { project?: string; user?: string; file: string } }

/** Adds the routes that correct the period of a file of a project or a person. */
export function addPeriods(app: FastifyInstance, { db }: Parts): void {
  const add = (owner: Owner) =>
    app.post<Address>(fileUrls.period(owner, ':file'), { config: { right: 'changeFiles' } }, (request) =>
      told(() => {
        const { as_named: isAsNamed } = validate(AsNamed, request.body)
        const wanted = isAsNamed ? 'as-named' : validate(Form, request.body).period
        return changePeriod(db, visitOf(request), ownerOf(request), idIn(request.params.file), wanted)
      }),
    )
  add({ project: ':project' })
  add({ user: ':user' })
}
