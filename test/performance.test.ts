import { expect, it } from 'vitest'
import { compareWith, performancePage } from '../bench/performance.ts'
import type { Result } from '../bench/result.ts'

const act = (what: string, node: number, postgres: number, bare: number): Result => ({
  what,
  measured: '',
  aim: '≤ 6 ms',
  met: true,
  parts: { node, postgres, sum: node + postgres, bare },
})

it('writes a row for each act, and keeps the rows of acts that were not measured', () => {
  const first = performancePage([act('a list', 8, 2, 0.25), act('1 GiB', 4000, 100, 1000)], '')
  expect(first).toContain('| a list | 8.00 | 2.00 | 10.0 | 0.25 | 40.0 | ≤ 6 ms |')
  expect(first).toContain('| 1 GiB | 4000 | 100 | 4100 | 1000 | 4.10 | ≤ 6 ms |')
  const second = performancePage([act('a list', 4, 1, 0.25), act('a move', 1, 1, 0.5)], first)
  expect(second.split('\n').filter((row) => /^\| (a|1) /.test(row) || row.startsWith('| 1 GiB'))).toEqual([
    '| a list | 4.00 | 1.00 | 5.00 | 0.25 | 20.0 | ≤ 6 ms |',
    '| 1 GiB | 4000 | 100 | 4100 | 1000 | 4.10 | ≤ 6 ms |',
    '| a move | 1.00 | 1.00 | 2.00 | 0.50 | 4.00 | ≤ 6 ms |',
  ])
  expect(performancePage([], second)).toBe(second)
})

it('keeps what is written below the table, and reads no act from it', () => {
  const below = '\n## Before and after\n\n| a list | 9 | 9 | 18 | 1 | 18 | ≤ 6 ms |\n'
  const page = performancePage([act('a list', 8, 2, 0.25)], below)
  expect(page.endsWith(below)).toBe(true)
  expect(performancePage([act('a move', 1, 1, 0.5)], page)).toContain('| a list | 8.00 |')
})

it('leaves out results that have no parts', () => {
  expect(performancePage([{ what: 'the start', measured: '1 s', aim: '2 s', met: true }], '')).not.toContain(
    'the start',
  )
})

it('compares a run with the page', () => {
  const before = performancePage([act('a list', 8, 2, 0.25)], '')
  expect(compareWith(before, [act('a list', 4, 2, 0.3), act('a move', 1, 1, 0.5)]).split('\n')).toEqual([
    expect.stringMatching(
      /^a list {2}10\.0 → 6\.00 ms \(−40 %\) {2}Node −50 % {2}PostgreSQL ±0 % {2}times bare 40\.0 → 20\.0 \(−50 %\)$/,
    ),
    expect.stringMatching(/^a move {2}2\.00 ms +new$/),
  ])
})
