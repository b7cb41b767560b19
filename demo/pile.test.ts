import { expect, it } from 'vitest'
import { readFileName } from '../src/files/names/file-name.ts'
import { pile } from './pile.ts'

it('most of the files to drop follow the convention, and some do not', () => {
  const names = pile().map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const wrong = names.filter((name) => !readFileName(name))
  expect(wrong.toSorted()).toEqual(
    [
      'Årsrapport 1063 2026.pdf',
      '1085_budget_2028.pdf',
      'Scan 0001.pdf',
      'Scan 0002.pdf',
      'Scan 0003.pdf',
      'Årsopgørelser 2025.pdf',
    ].toSorted(),
  )
})

it('the demo’s files are the same every time', () => {
  expect(pile()).toEqual(pile())
})
