import { z } from 'zod'
import type { PageInfo } from '../../base/pagination.ts'

// The schemas of answers to programs. Objects are strict: tests find a field that the description lacks.

export const rowId = z
  .int()
  .positive()
  .meta({ examples: [12] })
export const count = z
  .int()
  .nonnegative()
  .meta({ examples: [3] })
export const moment = z.iso
  .datetime()
  .meta({ description: 'Tidspunkt i UTC.', examples: ['2026-03-31T08:15:00.000Z'] })

const Meta = z.strictObject({
  current_page: z.int().positive(),
  prev_page: z.int().positive().nullable(),
  next_page: z.int().positive().nullable().meta({ description: 'null på den sidste side.' }),
  first_page: z.int().positive(),
  last_page: z.int().positive(),
  from: z.int().positive().nullable(),
  to: z.int().positive().nullable(),
  per_page: z.int().positive(),
  total: z.int().nonnegative().meta({ description: 'Hvor mange der er i alt.' }),
}) satisfies z.ZodType<PageInfo>

export const PageMeta = Meta.meta({
  id: 'PageInfo',
  description: 'Hvor i listen siden er.',
  examples: [
    {
      current_page: 1,
      prev_page: null,
      next_page: null,
      first_page: 1,
      last_page: 1,
      from: 1,
      to: 1,
      per_page: 25,
      total: 1,
    },
  ],
})

/** A page of a list. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({ data: z.array(row), meta: PageMeta })
