import { sql, type RawBuilder } from 'kysely'
import type { Visit } from '../../access/reader.ts'
import { addLogEntries } from '../../log/log.db.ts'
import { may } from '../../rights.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { checkListed } from '../../server/http/errors.ts'
import { readDuties } from '../obligations/duties.db.ts'
import { IS_COLLEAGUE, IS_OPEN } from '../obligations/duty-state.db.ts'
import { dutyTitle, isOfOnePerson, type DutyQuery } from '../obligations/duty.ts'
import { checkResponsible } from '../obligations/obligations.db.ts'
import { isAsked } from './due.db.ts'

/** The filters, how many open duties the page said they find, and whom to give them to. */
type Given = { query: DutyQuery; count: number; person: number | null }

/**
 * Makes somebody responsible for all open duties that a query finds, or nobody. Everything of one person takes along the
 * rules that name them, so that the duties to come are not theirs. The next mail tells whoever has got some. Duties that a
 * file being saved ends just now are left out: two that wait for each other would end the saving. Returns how many.
 */
export const giveDuties = transactional(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    { query, count, person: responsible }: Given,
    today: string,
  ): Promise<number> => {
    await checkResponsible(trx, responsible)
    const found = await readDuties(
      trx,
      reader,
      sql<boolean>`(${isAsked(query, today)} and ${IS_OPEN})`,
      today,
    )
    checkListed(count, found.length)
    const others = found.filter((duty) => (duty.responsible?.id ?? null) !== responsible)
    const { rows } = await sql<{ id: number }>`
      update duties set responsible_id = ${responsible}, is_responsible_given = true, told_on = null
      where id in (
        select id from duties where id = any (${others.map(({ id }) => id)}) and done_at is null order by id for update skip locked)
      returning id`.execute(trx)
    const given = new Set(rows.map(({ id }) => id))
    await addLogEntries(
      trx,
      actor,
      'duty-given',
      others
        .filter(({ id }) => given.has(id))
        .map((duty) => ({ projectId: duty.project.id, userId: responsible, detail: dutyTitle(duty) })),
    )
    const left = others.length - given.size
    if (!isOfOnePerson(query) || !may(reader.role, 'editObligations')) return left
    const { rows: rules } = await sql<{ title: string }>`
      update obligations set responsible_id = ${responsible}, version = version + 1
      where ${isTheirs(query.person)} and responsible_id is distinct from ${responsible} returning title`.execute(
      trx,
    )
    await addLogEntries(
      trx,
      actor,
      'obligation-changed',
      rules.map(({ title }) => ({ detail: title })),
    )
    return left
  },
)

/** Condition on `obligations`: names the person; for nobody, somebody who has left. */
const isTheirs = (person: DutyQuery['person']): RawBuilder<boolean> =>
  typeof person === 'number'
    ? sql<boolean>`responsible_id = ${person}`
    : sql<boolean>`(responsible_id is not null and not exists (
        select from users where users.id = obligations.responsible_id and ${IS_COLLEAGUE}))`
