import { z } from 'zod'
import { parametersOf } from '../../base/filter-address.ts'
import { readListQuery, writeListQuery, type ListQuery } from '../../base/list-query.ts'
import { ROLES } from '../../rights.ts'
import { invalid } from '../../server/http/errors.ts'
import { optionalLine, validate } from '../../server/http/validate.ts'
import { urls } from '../../urls.ts'
import { PEOPLE_FILTERS } from '../user/people-list.ts'
import { USER_COLUMNS } from '../user/user-row.ts'
import { MOST_PRESSED } from './selection.ts'

/** The people that an act is for: some, or all of a list, which had `count` when it was shown, apart from some. */
export type Chosen = { ids: number[] } | { list: ListQuery; count: number; except: number[] }

const WRONG = 'Valget kan ikke læses.'
const MOST_LETTERS = MOST_PRESSED * 17

const ids = z
  .string(WRONG)
  .max(MOST_LETTERS, WRONG)
  .regex(/^(\d{1,15}(,\d{1,15})*)?$/, WRONG)
  .transform((text) => [...new Set(text.split(',').filter(Boolean).map(Number))])
  .refine((all) => all.length <= MOST_PRESSED, WRONG)
  .default([])

const Form = z.object({
  list: optionalLine(WRONG, 1000).default(''),
  ids,
  except: ids,
  count: z
    .string(WRONG)
    .regex(/^\d{1,9}$/, WRONG)
    .transform(Number)
    .optional(),
})

/** Reads who is chosen, and the address of the list that the act was done in. */
export function chosenIn(body: unknown): { chosen: Chosen; back: string } {
  const form = validate(Form, body)
  const filters = Object.keys(PEOPLE_FILTERS)
  const { query, errors } = readListQuery(parametersOf(form.list), USER_COLUMNS, filters, ROLES)
  if (Object.keys(errors).length > 0) throw invalid({ list: [WRONG] })
  const back = urls.filteredUsers(writeListQuery(query))
  if (form.count !== undefined)
    return { back, chosen: { list: query, count: form.count, except: form.except } }
  if (form.ids.length === 0) throw invalid({ ids: ['Vælg mindst én person.'] })
  return { back, chosen: { ids: form.ids } }
}
