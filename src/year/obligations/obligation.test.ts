import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AccountingYears } from '../../projects/expected/accounting-year.ts'
import { binds, dueDayOf, dueRuleText, NEW_OBLIGATION, type ObligationFields } from './obligation.ts'
import { SHIPPED, shippedNow, shippedOf } from './shipped.ts'
import { wantedDuties, type DutyProject } from './wanted-duties.ts'

const rule = (more: Partial<ObligationFields> = {}): ObligationFields => ({
  ...NEW_OBLIGATION,
  watched_from: '2026-01-01',
  ...more,
})

/** Moms, as the law's fixed days. */
const VAT = rule({
  due_rule: 'days',
  rhythm: 'quarter',
  due_days: ['03-01', '06-01', '09-01', '12-01'],
  watched_from: '2026-06-01',
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
    ['after the first quarter', VAT, '2026-03-31', '2026-06-01'],
    ['after the second', VAT, '2026-06-30', '2026-09-01'],
    ['after the third', VAT, '2026-09-30', '2026-12-01'],
    ['after the fourth', VAT, '2026-12-31', '2027-03-01'],
    [
      'after half a year',
      rule({ due_rule: 'days', due_days: ['03-01', '09-01'] }),
      '2026-06-30',
      '2026-09-01',
    ],
    ['after an event', rule({ due_rule: 'event', after_days: 14 }), '2026-02-20', '2026-03-06'],
  ])('finds the last day: %s', (_what, obligation, end, due) => {
    expect(dueDayOf(obligation, span(end))).toBe(due)
  })
})

it.each([
  ['fits', rule(), { status: 'active', investors: 0, choice: null }, true],
  [
    'another status',
    rule({ statuses: ['active'] }),
    { status: 'closing', investors: 0, choice: null },
    false,
  ],
  ['sold, for what it owes', rule(), { status: 'sold', investors: 0, choice: null }, true],
  ['bound by another', rule(), { status: 'active', investors: 0, choice: null, isElsewhere: true }, false],
  ['ten investors', rule({ more_than: 10 }), { status: 'active', investors: 10, choice: null }, false],
  ['eleven investors', rule({ more_than: 10 }), { status: 'active', investors: 11, choice: null }, true],
  ['not chosen', rule({ reach: 'chosen' }), { status: 'active', investors: 0, choice: null }, false],
  ['chosen', rule({ reach: 'chosen' }), { status: 'sold', investors: 0, choice: true }, true],
  ['fits, but freed', rule(), { status: 'active', investors: 20, choice: false }, false],
] as const)(
  'decides whether an obligation applies to a project: %s',
  (_what, obligation, project, expected) => {
    expect(binds(obligation, { isElsewhere: false, ...project })).toBe(expected)
  },
)

describe('the duties of a project', () => {
  const TODAY = '2026-11-17'
  const project = (years: Partial<AccountingYears> = {}, more: Partial<DutyProject> = {}): DutyProject => ({
    status: 'active',
    investors: 12,
    choice: null,
    isElsewhere: false,
    events: [],
    addedOn: '2020-01-01',
    years: { ends: 12, changes: [], heldFrom: null, soldOn: null, ...years },
    ...more,
  })

  const listed = (isOnlyKept: boolean) => (obligation: ObligationFields, of: DutyProject) =>
    wantedDuties(obligation, of, TODAY)
      .filter((duty) => (duty.kept_since !== null) === isOnlyKept)
      .map(({ period, due_on: dueOn }) => `${period} ${dueOn}`)
  /** The duties that begin, and those that only stay where they are. */
  const [begun, kept] = [listed(false), listed(true)]

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
    [
      'of quarters of the calendar, where the accounting year ends in May',
      VAT,
      project({ ends: 5 }),
      ['2026-Q1 2026-06-01', '2026-Q2 2026-09-01', '2026-Q3 2026-12-01', '2026-Q4 2027-03-01'],
    ],
    [
      'of the quarter of the sale, and none later',
      VAT,
      project({ soldOn: '2026-05-01' }, { status: 'sold' }),
      ['2026-Q1 2026-06-01', '2026-Q2 2026-09-01'],
    ],
    [
      'of the year of the sale',
      rule({ statuses: ['active', 'closing'] }),
      project({ soldOn: '2026-06-30' }, { status: 'sold' }),
      ['2025 2026-06-30', '2026 2027-06-30'],
    ],
    ['sold on an unknown day: none that is new', rule(), project({}, { status: 'sold' }), []],
    [
      'sold on an unknown day, and chosen',
      rule(),
      project({}, { status: 'sold', choice: true }),
      ['2025 2026-06-30', '2026 2027-06-30'],
    ],
    [
      'of what has happened, however old',
      rule({ due_rule: 'event', after_days: 8 }),
      project({}, { events: ['2022-11-30', '2026-11-16'] }),
      ['2022-11-30 2022-12-08', '2026-11-16 2026-11-24'],
    ],
    ['that is switched off', rule({ is_active: false }), project(), []],
    ['that does not fit', rule({ more_than: 12 }), project(), []],
  ])('lists the duties of a project: %s', (_what, obligation, of, expected) => {
    expect(begun(obligation, of)).toEqual(expected)
  })

  it('a duty stays when a new rule puts its last day before those that are watched, and when its project is sold', () => {
    const early = rule({ due_months: 5, watched_from: '2026-06-15' })
    expect(kept(early, project())).toEqual(['2025 2026-05-31'])
    expect(kept(rule(), project({}, { status: 'sold' })).slice(1)).toEqual([
      '2025 2026-06-30',
      '2026 2027-06-30',
    ])
  })

  it('duties are at most ten years old, however long the project is watched', () => {
    const found = begun(rule({ watched_from: '1900-01-01' }), project({ heldFrom: '1900-01-01' }))
    expect(found[0]).toBe('2016 2017-06-30')
  })
})

it.each([
  [rule(), 'Senest 6 måneder efter regnskabsårets slutning'],
  [rule({ due_months: 1, rhythm: 'quarter' }), 'Senest 1 måned efter kvartalets slutning'],
  [rule({ due_months: 0 }), 'Senest ved regnskabsårets slutning'],
  [rule({ due_rule: 'day', due_day: 15, due_month: 4 }), 'Senest 15. april året efter'],
  [rule({ due_rule: 'date', due_on: '2027-06-30' }), 'Senest 30/06/2027'],
  [VAT, 'Senest 1. marts, 1. juni, 1. september og 1. december, for kalenderåret'],
  [rule({ due_rule: 'event', after_days: 14 }), 'Senest 14 dage efter en hændelse'],
])('describes the due rule: %#', (obligation, text) => {
  expect(dueRuleText(obligation)).toBe(text)
})

describe('the obligations that come with Ringbind', () => {
  const LAW = readFileSync(new URL('../../../docs/law.md', import.meta.url), 'utf8')
  /** The rows of docs/law.md by code. */
  const ROWS = new Map(
    [...LAW.matchAll(/^\| `([a-z0-9-]+)` \|(.+)\|$/gm)].map(([, code, cells]) => [
      code!,
      cells!.split('|').map((cell) => cell.trim()),
    ]),
  )

  it('every shipped obligation has its row in docs/law.md, and no other has one', () => {
    expect([...ROWS.keys()].sort()).toEqual(SHIPPED.map(({ code }) => code).sort())
    for (const cells of ROWS.values()) {
      expect(cells).toHaveLength(3)
      expect(cells.every((cell) => cell.length > 3)).toBe(true)
      expect(cells[1]).toMatch(/^\d{4}-\d\d-\d\d/)
    }
  })

  it.each(SHIPPED)('what was not found in a source is said by the shipped obligation: $code', (shipped) => {
    const isMissing = ROWS.get(shipped.code)!.join(' ').includes('not looked up')
    expect(/ikke slået op/.test(`${shipped.source} ${shipped.explanation}`)).toBe(isMissing)
  })

  it('each shipped obligation has a unique code, an explanation and a source', () => {
    expect(new Set(SHIPPED.map(({ code }) => code)).size).toBe(SHIPPED.length)
    for (const { explanation, source, title } of SHIPPED)
      expect([explanation, source, title].every((text) => text.length > 5)).toBe(true)
  })

  it('no paper ends a filing that came with Ringbind', () => {
    for (const { is_filing: isFiling, folder_name: folder = '' } of SHIPPED)
      expect(isFiling === true && folder !== '').toBe(false)
  })

  it('of the old law and the new one each year has one', () => {
    const of = (code: string, to: string) => {
      const { holds_since: since, holds_until: until } = shippedOf(
        SHIPPED.find((each) => each.code === code)!,
      )
      return (since === null || to >= since) && (until === null || to <= until)
    }
    const codes = ['crs-fatca', 'crs-2026', 'fatca']
    expect(codes.filter((code) => of(code, '2025-12-31'))).toEqual(['crs-fatca'])
    expect(codes.filter((code) => of(code, '2026-06-30'))).toEqual(['crs-2026', 'fatca'])
  })

  it('a field that the office has changed keeps its value, and so do those that are one with it', () => {
    const was = shippedOf({ ...SHIPPED[0]!, due_months: 6, title: 'Før' })
    const next = { ...was, due_months: 5, title: 'Nu', explanation: 'Nyt' }
    expect(shippedNow(was, was, next)).toEqual(next)
    expect(shippedNow(was, { ...was, title: 'Vores' }, next)).not.toHaveProperty('title')
    const changed = shippedNow(was, { ...was, rhythm: 'half' }, next)
    expect(changed).not.toHaveProperty('due_months')
    expect(changed).toMatchObject({ title: 'Nu', explanation: 'Nyt' })
    expect(shippedNow(null, was, next)).toEqual({})
  })
})
