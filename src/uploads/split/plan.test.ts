import { describe, expect, it } from 'vitest'
import { pagesText, readRanges, runsOf, writeRanges } from './pdf/page-ranges.ts'
import { correctionText, givePages, joinBefore, partsOf, planFaults, unfinished, type Plan } from './plan.ts'

describe('ranges', () => {
  it.each([
    ['', []],
    ['7', [7]],
    ['1-3,7', [1, 2, 3, 7]],
    ['7,1-3', [7, 1, 2, 3]],
    ['3-1', null],
    ['0', null],
    ['1,1', null],
    ['1-3,2', null],
    ['1-', null],
    [' 1', null],
    ['1,,2', null],
    ['a', null],
    ['1e3', null],
    ['1-9999999', null],
    ['1-6,7-12', null],
    ['99999999', null],
  ])('reads the ranges %j', (text, pages) => {
    expect(readRanges(text, 10)).toEqual(pages)
  })

  it('writes ranges as it reads them', () => {
    expect(writeRanges([7, 3, 1, 2])).toBe('1-3,7')
    expect(runsOf([5, 5, 4])).toEqual([{ from: 4, to: 5 }])
    expect([pagesText([3]), pagesText([1, 2, 3, 7]), pagesText([1, 3, 5])]).toEqual([
      'side 3',
      'side 1–3 og 7',
      'side 1, 3 og 5',
    ])
  })
})

describe('a plan', () => {
  const plan: Plan = [1, 1, null, 2, 'out', null, 1]

  it('a plan has one part for each person', () => {
    expect(partsOf(plan)).toEqual([
      { person: 1, pages: [1, 2, 7] },
      { person: 2, pages: [4] },
    ])
  })

  it('a plan gives pages to somebody else, or joins them to the page before', () => {
    expect(givePages(plan, [3, 4], 3)).toEqual([1, 1, 3, 3, 'out', null, 1])
    expect(joinBefore(plan, [3, 4, 6])).toEqual([1, 1, 1, 1, 'out', 'out', 1])
    expect(joinBefore([null, 2], [1])).toEqual([null, 2])
  })

  it.each<[Plan, string | null]>([
    [plan, 'Giv 2 sider til nogen, eller udelad dem: side 3 og 6.'],
    [[1, null], 'Giv side 2 til nogen, eller udelad den.'],
    [
      Array.from({ length: 80 }, (_, index) => (index % 2 ? 1 : null)),
      'Giv 40 sider til nogen, eller udelad dem: side 1 og 39 andre.',
    ],
    [['out', 'out'], 'Mindst én side skal gives til en investor.'],
    [[1, 'out'], null],
  ])('says which pages are missing', (each, text) => {
    expect(unfinished(each)).toBe(text)
  })

  it('describes a correction', () => {
    expect(correctionText([3, 4], 'Bo Falk', [1, 1, 3, 3, null])).toBe(
      'Side 3–4 er givet til Bo Falk. 1 side mangler.',
    )
    expect(correctionText([3], null, [1, 1, 'out'])).toBe('Side 3 er udeladt. Alle sider er fordelt.')
  })

  it.each<[what: string, parts: number[][], leftOut: number[], faults: Record<string, string[]>]>([
    ['each page once', [[1, 3], [2]], [4], {}],
    [
      'a page twice',
      [
        [1, 2],
        [2, 3],
      ],
      [4],
      { 'parts.1.pages': ['Side 2 er givet to gange.'] },
    ],
    ['a page given and left out', [[1, 2, 3]], [3, 4], { left_out: ['Side 3 er givet to gange.'] }],
    ['a page beyond the end', [[1, 2, 3, 4, 5]], [], { 'parts.0.pages': ["PDF'en har kun 4 sider."] }],
    ['a page forgotten', [[1, 2]], [4], { parts: ['Side 3 er hverken givet til nogen eller udeladt.'] }],
  ])('checks a plan as it is sent: %s', (_what, parts, leftOut, faults) => {
    expect(
      planFaults(
        parts.map((pages, index) => ({ id: String(index), pages })),
        leftOut,
        4,
      ),
    ).toEqual(faults)
  })
})
