import { describe, expect, it } from 'vitest'
import type { AccountingYears } from '../../projects/expected/accounting-year.ts'
import { binds, dueDayOf, dueRuleText, NEW_OBLIGATION, type ObligationFields } from './obligation.ts'
import { SHIPPED } from './shipped.ts'
import { wantedDuties, type DutyProject } from './wanted-duties.ts'

const rule = (more: Partial<ObligationFields> = {}): ObligationFields => ({
  ...NEW_OBLIGATION,
  watched_from: '2026-01-01',
  ...more,
})

const span = (to: string) => ({ to, period: { year: Number(to.slice(0, 4)), part: null } })

describe('the last day', () => {
  it.each([
    ['6 months after New Year', rule({ due_months: 6 }), '2025-12-31', '2026-06-30'],
    ['the end of a month after the end of a month', rule({ due_months: 6 }), '2025-06-30', '2025-12-31'],
    ['after February', rule({ due_months: 6 }), '2025-02-28', '2025-08-31'],
    ['into a February', rule({ due_months: 2 }), '2025-12-31', '2026-02-28'],
    ['into a leap day', rule({ due_months: 2 }), '2027-12-31', '2028-02-29'],
    ['from a leap day', rule({ due_months: 12 }), '2028-02-29', '2029-02-28'],
    ['at once', rule({ due_months: 0 }), '2025-12-31', '2025-12-31'],
    ['of a year that ends within a month', rule({ due_months: 6 }), '2025-09-14', '2026-03-14'],
    ['15 April', rule({ due_rule: 'day', due_day: 15, due_month: 4 }), '2025-12-31', '2026-04-15'],
    [
      'of the year after the end',
      rule({ due_rule: 'day', due_day: 15, due_month: 4 }),
      '2025-06-30',
      '2026-04-15',
    ],
    [
      'a day that the month lacks',
      rule({ due_rule: 'day', due_day: 31, due_month: 4 }),
      '2025-12-31',
      '2026-04-30',
    ],
    ['a leap day', rule({ due_rule: 'day', due_day: 29, due_month: 2 }), '2027-12-31', '2028-02-29'],
    ['no leap day', rule({ due_rule: 'day', due_day: 29, due_month: 2 }), '2026-12-31', '2027-02-28'],
    // A Saturday: it is shown, and never moved.
    ['a Saturday', rule({ due_rule: 'day', due_day: 1, due_month: 5 }), '2026-12-31', '2027-05-01'],
    ['one day only', rule({ due_rule: 'date', due_on: '2027-03-28' }), '2027-12-31', '2027-03-28'],
  ])('finds the last day: %s', (_what, obligation, end, due) => {
    expect(dueDayOf(obligation, span(end))).toBe(due)
  })
})

it.each([
  ['fits', rule(), { status: 'active', investors: 0, choice: null }, true],
  ['another status', rule(), { status: 'sold', investors: 0, choice: null }, false],
  ['ten investors', rule({ more_than: 10 }), { status: 'active', investors: 10, choice: null }, false],
  ['eleven investors', rule({ more_than: 10 }), { status: 'active', investors: 11, choice: null }, true],
  ['not chosen', rule({ reach: 'chosen' }), { status: 'active', investors: 0, choice: null }, false],
  ['chosen', rule({ reach: 'chosen' }), { status: 'sold', investors: 0, choice: true }, true],
  ['fits, but freed', rule(), { status: 'active', investors: 20, choice: false }, false],
] as const)(
  'decides whether an obligation applies to a project: %s',
  (_what, obligation, project, expected) => {
    expect(binds(obligation, project)).toBe(expected)
  },
)

describe('the duties of a project', () => {
  const TODAY = '2026-11-17'
  const project = (years: Partial<AccountingYears> = {}, more: Partial<DutyProject> = {}): DutyProject => ({
    status: 'active',
    investors: 12,
    choice: null,
    addedOn: '2020-01-01',
    years: { ends: 12, changes: [], heldFrom: null, soldOn: null, ...years },
    ...more,
  })

  it.each([
    ['of calendar years', rule(), project(), ['2025 2026-06-30', '2026 2027-06-30']],
    [
      'from the day on which it is watched',
      rule({ watched_from: '2026-07-01' }),
      project(),
      ['2026 2027-06-30'],
    ],
    ['of a project that came later', rule(), project({}, { addedOn: '2026-08-01' }), ['2026 2027-06-30']],
    [
      'of a project that came later, and was taken over before',
      rule(),
      project({ heldFrom: '2025-03-01' }, { addedOn: '2026-08-01' }),
      ['2025 2026-06-30', '2026 2027-06-30'],
    ],
    ['taken over this year', rule(), project({ heldFrom: '2026-02-01' }), ['2026 2027-06-30']],
    ['sold last year', rule(), project({ soldOn: '2025-05-01' }), ['2025 2026-06-30']],
    ['sold before', rule(), project({ soldOn: '2024-05-01' }), []],
    [
      'of years that cross New Year',
      rule(),
      project({ ends: 6 }),
      ['2025 2025-12-31', '2026 2026-12-31', '2027 2027-12-31'].slice(1),
    ],
    [
      'of years that end in February',
      rule({ due_months: 6 }),
      project({ ends: 2 }),
      ['2026 2026-08-31', '2027 2027-08-31'],
    ],
    [
      'of a changed accounting year',
      rule(),
      project({ ends: 12, changes: [{ since: '2026-01-01', ends: 6 }] }),
      ['2025 2026-06-30', '2026 2026-12-31', '2027 2027-12-31'],
    ],
    [
      'of a short year',
      rule(),
      project({ ends: 6, changes: [{ since: '2025-07-01', ends: 12 }] }),
      ['2025-O 2026-06-30', '2026 2027-06-30'],
    ],
    [
      'of quarters',
      rule({ rhythm: 'quarter', due_months: 2, watched_from: '2026-08-01' }),
      project(),
      ['2026-Q2 2026-08-31', '2026-Q3 2026-11-30', '2026-Q4 2027-02-28'],
    ],
    ['since the law holds', rule({ holds_since: '2026-01-01' }), project(), ['2026 2027-06-30']],
    ['until the law ends', rule({ holds_until: '2026-12-30' }), project(), ['2025 2026-06-30']],
    ['on one day', rule({ due_rule: 'date', due_on: '2028-02-29' }), project(), ['2028 2028-02-29']],
    [
      'on one day after the sale',
      rule({ due_rule: 'date', due_on: '2028-02-29' }),
      project({ soldOn: '2027-01-01' }),
      [],
    ],
    ['that is switched off', rule({ is_active: false }), project(), []],
    ['that does not fit', rule({ more_than: 12 }), project(), []],
  ])('lists the duties of a project: %s', (_what, obligation, of, expected) => {
    expect(wantedDuties(obligation, of, TODAY).map(({ period, dueOn }) => `${period} ${dueOn}`)).toEqual(
      expected,
    )
  })

  it('duties are at most ten years old, however long the project is watched', () => {
    const found = wantedDuties(
      rule({ watched_from: '1900-01-01' }),
      project({ heldFrom: '1900-01-01' }),
      TODAY,
    )
    expect(found[0]).toMatchObject({ period: '2016', dueOn: '2017-06-30' })
  })
})

it.each([
  [rule(), 'Senest 6 måneder efter regnskabsårets slutning'],
  [rule({ due_months: 1, rhythm: 'quarter' }), 'Senest 1 måned efter kvartalets slutning'],
  [rule({ due_months: 0 }), 'Senest ved regnskabsårets slutning'],
  [rule({ due_rule: 'day', due_day: 15, due_month: 4 }), 'Senest 15. april året efter'],
  [rule({ due_rule: 'date', due_on: '2027-06-30' }), 'Senest 30/06/2027'],
])('describes the due rule: %#', (obligation, text) => {
  expect(dueRuleText(obligation)).toBe(text)
})

it('each shipped obligation has a unique code, an explanation and a source', () => {
  expect(new Set(SHIPPED.map(({ code }) => code)).size).toBe(SHIPPED.length)
  for (const { explanation, source, title } of SHIPPED)
    expect([explanation, source, title].every((text) => text.length > 5)).toBe(true)
})
