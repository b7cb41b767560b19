import { z } from 'zod'
import { isPeriodBetween, periodKey, readPeriod, RHYTHMS, typedPeriod } from '../../base/time/period.ts'
import { editSchemas, formSchemas } from '../../server/fields.ts'
import { list, monthNumber, numberBetween, optionalDay, optionalLine } from '../../server/http/validate.ts'
import { YEAR_FIELDS } from '../project/project.fields.ts'
import { MOST_CHANGES, MOST_DUE_MONTHS } from './expects.ts'

const NO_PERIOD = 'Skriv en periode som 2025, 2024/25 eller Q3 2026.'

/** A period as people write it; null for none. */
export const optionalPeriod = optionalLine('Perioden skal være en tekst.', 40, NO_PERIOD).transform(
  (text, context) => {
    const period = typedPeriod(text)
    if (text === '' || period) return period && periodKey(period)
    context.addIssue({ code: 'custom', message: NO_PERIOD })
    return z.NEVER
  },
)

const NO_MONTHS = `Skriv et antal måneder fra 0 til ${MOST_DUE_MONTHS}.`

/** The fields of a folder's form about its expectations. Omitted fields keep their values. */
export const EXPECTS_FIELDS = {
  expects: z.enum(['none', ...RHYTHMS], { error: 'Vælg, hvor tit der forventes en fil.' }).optional(),
  expects_from: optionalPeriod.optional(),
  expects_to: optionalPeriod.optional(),
  due_months: numberBetween(0, MOST_DUE_MONTHS, NO_MONTHS).optional(),
}

type FolderLimits = { expects_from?: string | null | undefined; expects_to?: string | null | undefined }

/** Whether the last period comes after the first. */
export function isInOrder(fields: FolderLimits): boolean {
  const [from, to] = [fields.expects_from, fields.expects_to].map((key) => readPeriod(key ?? ''))
  return !from || !to || isPeriodBetween(from, { from: null, to })
}

export const NOT_IN_ORDER = 'Den sidste periode kan ikke ligge før den første.'

/** A change of the accounting year; null without a day, which is how a row is removed without JavaScript. */
const Change = z
  .object({ since: optionalDay, year_ends: monthNumber }, { error: 'Angiv dag og måned.' })
  .refine(({ since }) => since === null || since.endsWith('-01'), {
    error: 'Et regnskabsår begynder den første dag i en måned.',
    path: ['since'],
  })

/** The fields of a project's form that say when its accounting years end. Those that are left out keep their value. */
export const YEAR_SCHEMAS = {
  ...editSchemas(YEAR_FIELDS, formSchemas(YEAR_FIELDS)),
  year_changes: list(Change, MOST_CHANGES + 1)
    .superRefine((changes, context) => {
      const days = changes.map(({ since }) => since)
      for (const [index, day] of days.entries())
        if (day !== null && days.indexOf(day) < index)
          context.addIssue({
            code: 'custom',
            message: 'Der er allerede en ændring fra den dag.',
            path: [index, 'since'],
          })
    })
    .optional(),
}
