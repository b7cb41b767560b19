import { writeDay } from '../base/days.ts'
import type { FieldWords } from '../server/edits.ts'
import type { AccountingYears } from './accounting-year.ts'
import { MONTHS } from './expected/expects.ts'
import { STATUS_NAMES, type Project } from './project.ts'

/** What the form of a project changes, beside its members. */
type ProjectValues = Omit<Project, 'id'> & {
  year_ends: number
  held_from: string | null
  sold_on: string | null
  year_changes: { since: string; year_ends: number }[]
}

export const projectValues = (
  { number, name, cvr, status }: Omit<Project, 'id'>,
  { ends, heldFrom, soldOn, changes }: AccountingYears,
): ProjectValues => ({
  number,
  name,
  cvr,
  status,
  year_ends: ends,
  held_from: heldFrom,
  sold_on: soldOn,
  year_changes: changes.map((change) => ({ since: change.since, year_ends: change.ends })),
})

const sayDay = (day: string | null) => (day === null ? '' : writeDay(day))
const sayMonth = (month: number) => MONTHS[month - 1] ?? ''

export const PROJECT_WORDS: FieldWords<ProjectValues> = {
  number: 'Nummer',
  name: 'Navn',
  cvr: 'CVR-nr.',
  status: { label: 'Status', say: (status) => STATUS_NAMES[status] },
  year_ends: { label: 'Regnskabsår slutter', say: sayMonth },
  held_from: { label: 'Overtaget', say: sayDay },
  sold_on: { label: 'Solgt den', say: sayDay },
  year_changes: {
    label: 'Omlagt regnskabsår',
    say: (changes) =>
      changes.map(({ since, year_ends: ends }) => `${sayMonth(ends)} fra ${sayDay(since)}`).join(', '),
  },
}
