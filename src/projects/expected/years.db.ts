import { sql } from 'kysely'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { invalid } from '../../server/http/errors.ts'
import { readAccountingYears, type ProjectYears } from './accounting-years.db.ts'
import { MOST_CHANGES } from './expects.ts'

/** The fields of a project's form about its accounting years. Omitted fields are unchanged. */
export type YearFields = {
  year_ends?: number | undefined
  held_from?: string | null | undefined
  sold_on?: string | null | undefined
  followed_from?: string | null | undefined
  /** All changes. One without a day is ignored. */
  year_changes?: { since: string | null; year_ends: number }[] | undefined
}

/** Writes when a project's accounting years end and how long it is held, and logs it if that is new. The project is locked. */
export async function changeYears(trx: Trx, actor: Actor, id: number, fields: YearFields): Promise<void> {
  const before = (await readAccountingYears(trx, [id])).get(id)!
  const next: ProjectYears = {
    ends: fields.year_ends ?? before.ends,
    heldFrom: fields.held_from === undefined ? before.heldFrom : fields.held_from,
    soldOn: fields.sold_on === undefined ? before.soldOn : fields.sold_on,
    followedFrom: fields.followed_from === undefined ? before.followedFrom : fields.followed_from,
    changes:
      fields.year_changes === undefined
        ? before.changes
        : changesIn(fields.year_changes).map(({ since, year_ends: ends }) => ({ since, ends })),
  }
  if (next.heldFrom !== null && next.soldOn !== null && next.soldOn < next.heldFrom)
    throw invalid({ sold_on: ['Projektet kan ikke være solgt, før det blev overtaget.'] })
  if (next.changes.length > MOST_CHANGES)
    throw invalid({ year_changes: [`Der kan højst være ${MOST_CHANGES} ændringer.`] })
  if (JSON.stringify(textsOf(before)) === JSON.stringify(textsOf(next))) return
  await sql`
    update projects set year_ends = ${next.ends}, held_from = ${next.heldFrom}, sold_on = ${next.soldOn},
      followed_from = ${next.followedFrom}, updated_at = now(), changed_at = now()
    where id = ${id}`.execute(trx)
  await trx.deleteFrom('accounting_year_changes').where('project_id', '=', id).execute()
  if (next.changes.length > 0)
    await trx
      .insertInto('accounting_year_changes')
      .values(next.changes.map(({ since, ends }) => ({ project_id: id, since, year_ends: ends })))
      .execute()
  await addLogEntry(trx, actor, 'project-years-changed', { projectId: id })
}

/** Returns the changes that have a day, by their days. */
export function changesIn(
  sent: NonNullable<YearFields['year_changes']>,
): { since: string; year_ends: number }[] {
  return sent
    .flatMap(({ since, year_ends: ends }) => (since === null ? [] : [{ since, year_ends: ends }]))
    .toSorted((a, b) => (a.since < b.since ? -1 : 1))
}

const textsOf = ({ ends, heldFrom, soldOn, followedFrom, changes }: ProjectYears) => [
  ends,
  heldFrom,
  soldOn,
  followedFrom,
  ...changes.map((change) => `${change.since} ${change.ends}`),
]
