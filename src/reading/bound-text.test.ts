import { expect, it } from 'vitest'
import { boundText } from './bound-text.ts'

it('limits a text to a multiple of its source, and that of a small file to half a million letters', () => {
  const read = { pages: Array.from({ length: 1000 }, () => 'a'.repeat(15_000)), reason: null }
  const lettersOf = (bytes: number) => boundText(read, bytes).pages.join('').length
  expect([lettersOf(1000), lettersOf(98_000), lettersOf(2_000_000)]).toEqual([500_000, 1_960_000, 15_000_000])
  expect([boundText(read, 98_000).reason, boundText(read, 2_000_000).reason]).toEqual([
    'Filen er meget lang. Kun den første del er læst.',
    null,
  ])
})

it('cuts a page at the maximum length, and keeps the next ones whole', () => {
  const { pages, reason } = boundText({ pages: ['b'.repeat(300_000), '', 'c'], reason: null }, 1_000_000)
  expect(pages.map(({ length }) => length)).toEqual([200_000, 0, 1])
  expect(reason).toContain('Kun den første del')
})
