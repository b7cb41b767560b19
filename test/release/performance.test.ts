import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PARTS } from '../../bench/parts.ts'
import { compareWith, performancePage, printed, unexplained } from '../../bench/measure/performance.ts'
import { draw } from '../../bench/measure/picture.ts'
import {
  entryOf,
  recordOf,
  withFailure,
  withPart,
  type PartRecord,
  type Run,
} from '../../bench/measure/record.ts'
import { aimText, isMet, measuredText, mostOf, timesOf, type Result } from '../../bench/measure/result.ts'

const DOCS = new URL('../../docs/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, DOCS), 'utf8')

const RUN: Run = {
  at: '2026-11-17T20:00:00.000Z',
  version: '1.0.0',
  commit: '12345678',
  seconds: 61.2,
  machine: { cores: 2, architecture: 'x64', processor: 'P', memoryGb: 24, system: 'Linux 6', node: '26.0.0' },
  load: { begin: 0.5, end: 1.25 },
}

const slow: Result = {
  what: 'a list',
  value: 9,
  unit: 'ms',
  limit: { what: 'bare', value: 1.5 },
  aim: { value: 6 },
}
const quick: Result = { ...slow, what: 'a download', value: 2 }
const NAMED = [
  { name: 'acts', title: 'Acts' },
  { name: 'start', title: 'The start' },
]
const EMPTY = '# Costs\n\n<!-- made by npm run bench: summary -->\n<!-- end of what is made -->\n'

describe('a figure and its limit', () => {
  const rate = { what: 'a rate', value: 400, unit: 'MB/s', isRate: true } as const
  it.each<[string, Result, number | null, number | null, boolean | null, string]>([
    ['a figure as its aim', slow, 6, 4, false, '≤ 6 ms'],
    ['times the limit', { ...slow, aim: { times: 6 } }, 6, 6, true, '≤ 6 ×'],
    ['both', { ...slow, aim: { times: 7, value: 6 } }, 6, 4, false, '≤ 7 × and ≤ 6 ms'],
    ['one of both', { ...slow, aim: { times: 7, value: 6, isEither: true } }, 6, 7, true, '≤ 7 × or ≤ 6 ms'],
    [
      'a rate, of which more is better',
      { ...rate, limit: { what: 'bare', value: 500 }, aim: { times: 1 / 0.9 } },
      1.25,
      1 / 0.9,
      false,
      '≤ 1.11 ×',
    ],
    [
      'the aim as the limit',
      { what: 'memory', value: 75, unit: 'MB', aim: { value: 150 } },
      0.5,
      1,
      true,
      '≤ 150 MB',
    ],
    [
      'memory that became less',
      { what: 'memory', value: -3, unit: 'MB', aim: { value: 64 } },
      0,
      1,
      true,
      '≤ 64 MB',
    ],
    [
      'nothing allowed, and nothing there',
      { what: 'shift', value: 0, unit: '', aim: { value: 0 } },
      0,
      1,
      true,
      '≤ 0',
    ],
    [
      'nothing allowed',
      { what: 'shift', value: 0.1, unit: '', aim: { value: 0 } },
      Infinity,
      1,
      false,
      '≤ 0',
    ],
    ['only told', { what: 'words', value: 3, unit: 'words' }, null, null, null, 'told'],
    [
      'told beside a limit',
      { what: 'a page', value: 3, unit: 'ms', limit: { what: 'b', value: 2 } },
      1.5,
      null,
      null,
      'told',
    ],
  ])('compares a figure with its limit: %s', (_name, result, times, most, met, aim) => {
    expect([timesOf(result), mostOf(result), isMet(result), aimText(result)]).toEqual([times, most, met, aim])
    expect(entryOf(result).met).toBe(met)
  })

  it('a figure has as many digits as matter', () => {
    const text = (value: number) => measuredText({ what: '', value, unit: 'ms', note: 'page 2' })
    expect([0.0007, 2.714, 27.14, 271.4, 27_140, 40].map(text)).toEqual(
      ['0.0007', '2.71', '27.1', '271', '27,140', '40'].map((figures) => `${figures} ms, page 2`),
    )
  })
})

describe('the record', () => {
  it('the record has each part once, in the order of the parts', () => {
    const [acts, start] = [recordOf('acts', RUN, [slow]), recordOf('start', RUN, [quick])]
    const both = withPart(withPart([], start, ['acts', 'start']), acts, ['acts', 'start'])
    expect(both).toEqual([acts, start])
    const again = recordOf('start', { ...RUN, commit: '9' }, [quick])
    expect(withPart(both, again, ['acts', 'start'])).toEqual([acts, again])
  })

  it('the record keeps earlier measurements when a later try fails, and names no path of the machine', () => {
    const before = recordOf('acts', RUN, [slow])
    const failed = { name: 'acts', at: RUN.at, why: 'No /usr/bin/wrk: install it.\nat line 3' }
    expect(withFailure(before, failed)).toEqual({
      ...before,
      notMeasured: { at: RUN.at, why: 'No …/wrk: install it.' },
    })
    expect(withFailure(undefined, failed)).toMatchObject({ run: null, results: [] })
  })

  it('the record refuses two measurements of one name', () => {
    expect(() => recordOf('acts', RUN, [slow, slow])).toThrow(/are called 'a list'/)
  })
})

describe('the document', () => {
  const records = [recordOf('acts', RUN, [slow, quick])]
  const page = performancePage(NAMED, records, EMPTY)

  it('the document has a table for each part', () => {
    expect(page).toContain('2 measurements: 1 meet their aims, 1 miss them, 0 are only told.')
    expect(page).toContain('- Acts: a list')
    expect(page).toContain(
      '17 November 2026, version 1.0.0 (12345678), in 61 s; load 0.5 before and 1.3 after, on 2 cores.',
    )
    expect(page).toContain('| a list | 9 ms | bare 1.50 ms | 6.00 | ≤ 6 ms (4.00 ×) | **no** |')
    expect(page).toContain('| a download | 2 ms | bare 1.50 ms | 1.33 | ≤ 6 ms (4.00 ×) | yes |')
    expect(page).toContain('## The start\n\n<!-- made by npm run bench: start -->\nNot measured yet.\n')
  })

  it('the document keeps what is written by hand, and rewrites the rest', () => {
    const written = page.replace('\n## The start', '\nBy hand.\n\n## The start')
    expect(performancePage(NAMED, records, written)).toBe(written)
    const later = performancePage(NAMED, [recordOf('acts', RUN, [quick])], written)
    expect(later).toContain('By hand.')
    expect(later).not.toContain('a list')
  })

  it('the document says what could not be measured, and that the machine was busy', () => {
    const busy = { ...RUN, load: { begin: 1, end: 9 } }
    const failed = withFailure(recordOf('acts', busy, [quick]), { name: 'acts', at: RUN.at, why: 'no wrk' })
    const told = performancePage(NAMED, [failed], EMPTY)
    expect(told).toContain('- `acts` on 17 November 2026: no wrk')
    expect(told).toContain('Not measured on 17 November 2026: no wrk')
    expect(told).toContain('on 2 cores: a busy machine.')
  })

  it('the document finds a missed aim that its own part does not explain', () => {
    expect(unexplained(NAMED, records, page)).toEqual(['acts: a list'])
    expect(unexplained(NAMED, records, `${page}\n- **a list**: in another part\n`)).toEqual(['acts: a list'])
    const explained = page.replace('\n## The start', '\n- **a list**: half of it is Brotli.\n\n## The start')
    expect(unexplained(NAMED, records, explained)).toEqual([])
  })
})

describe('the chart', () => {
  const family = (what: string, value: number): Result => ({ ...slow, what, value, family: 'lists' })

  it('the chart says in words what its colours say, also to those who cannot see it', () => {
    const picture = draw(NAMED, [recordOf('acts', RUN, [slow, quick])])
    expect(picture).toContain('>6.00 ×, aim 4.00, missed<')
    expect(picture).toContain('>1.33 ×, aim 4.00<')
    expect(picture).toContain(
      '1 of 2 measurements meet their aims. Acts: a list, 6.00 times, aim 4.00, missed;',
    )
  })

  it('the chart draws a family as its worst, and the others as dots', () => {
    const picture = draw(NAMED, [recordOf('acts', RUN, [family('a', 2), family('b', 5), family('c', 3)])])
    expect(picture).toContain('>lists: 3, the worst<')
    expect(picture.match(/class="bar" x="0" y="1/g)).toHaveLength(1)
    expect(picture).toContain('>3.33 ×, aim 4.00<')
  })

  it('the chart leaves out figures without a limit, and parts that have nothing else', () => {
    expect(draw(NAMED, [recordOf('acts', RUN, [{ what: 'words', value: 3, unit: 'words' }])])).not.toContain(
      'Acts',
    )
  })
})

it('compares a run with the record', () => {
  const now = [{ name: 'acts', results: [{ ...slow, value: 4.5 }, quick] }]
  expect(compareWith([recordOf('acts', RUN, [slow])], now).split('\n')).toEqual([
    'a list      9.00 → 4.50 ms (−50 %)  times 6.00 → 3.00 (−50 %)',
    'a download  2.00 ms                 new',
  ])
})

it('prints a run', () => {
  expect(printed([slow, { what: 'words', value: 3, unit: 'words' }]).split('\n')).toEqual([
    'what    measured  held against  times  aim              met',
    'a list  9 ms      bare 1.50 ms  6.00   ≤ 6 ms (4.00 ×)  NO',
    'words   3 words                        told',
  ])
})

describe('what is committed', () => {
  const { parts } = JSON.parse(read('performance.json')) as { parts: PartRecord[] }

  it('the committed record has existing parts, and figures from which the rest follows', () => {
    const names = new Set(PARTS.map(({ name }) => name))
    expect(parts.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([])
    for (const { results } of parts)
      for (const { times: _times, most: _most, met: _met, ...result } of results)
        expect(results).toContainEqual(entryOf(result))
  })

  it('the committed document and chart agree with the record', () => {
    expect(performancePage(PARTS, parts, read('performance.md'))).toBe(read('performance.md'))
    expect(draw(PARTS, parts)).toBe(read('performance.svg'))
  })

  it('the committed document explains every missed aim', () => {
    expect(unexplained(PARTS, parts, read('performance.md'))).toEqual([])
  })
})

it('a full bench ends within an hour and a half', () => {
  expect(PARTS.reduce((sum, { minutes }) => sum + minutes, 0)).toBeLessThanOrEqual(90)
})
