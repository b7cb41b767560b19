import { pickFields, wordsOf } from '../base/fields/field.ts'
import { monthName, writeDay } from '../base/time/days.ts'
import type { FieldWords } from '../server/edits.ts'
import type { ProjectYears } from './expected/accounting-years.db.ts'
import { OWN_FIELDS, PROJECT_FIELDS, type OwnValues, type ProjectValues } from './project/project.fields.ts'

/** The values that the form of a project changes, beside its members. */
type FormValues = ProjectValues & { year_changes: { since: string; year_ends: number }[] }

/** Returns the values that the form of a project is opened with. */
export const projectValues = (
  own: OwnValues,
  { ends, heldFrom, soldOn, followedFrom, changes }: ProjectYears,
): FormValues => ({
  ...pickFields(OWN_FIELDS, own),
  year_ends: ends,
  held_from: heldFrom,
  sold_on: soldOn,
  followed_from: followedFrom,
  year_changes: changes.map((change) => ({ since: change.since, year_ends: change.ends })),
})

export const PROJECT_WORDS: FieldWords<FormValues> = {
  ...wordsOf(PROJECT_FIELDS),
  year_changes: {
    label: 'Omlagt regnskabsår',
    say: (changes) =>
      changes.map(({ since, year_ends: ends }) => `${monthName(ends)} fra ${writeDay(since)}`).join(', '),
  },
}
