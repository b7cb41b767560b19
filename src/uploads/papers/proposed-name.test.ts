import { expect, it } from 'vitest'
import { hasWords, proposedName } from './proposed-name.ts'

it.each([
  ['Scan 0001.pdf', false],
  ['IMG_2031.jpg', false],
  ['dokument (3).pdf', false],
  ['20250301_114522.pdf', false],
  ['Skannet dokument.pdf', false],
  ['Ferieplan.pdf', true],
  ['Scan af lejekontrakt.pdf', true],
])('the name %s has meaningful words: %s', (name, has) => {
  expect(hasWords(name)).toBe(has)
})

const year = { year: 2025, page: 1, all: [2025], isCertain: true, quarter: null }
it.each([
  ['Scan 0001.pdf', year, 'Budget (1024) 2025.pdf'],
  ['Scan 0001.pdf', { ...year, quarter: 2 }, 'Budget (1024) Q2 2025.pdf'],
  ['Scan 0001.pdf', null, 'Budget (1024).pdf'],
  ['Udkast.docx', year, 'Budget (1024) Udkast 2025.docx'],
  ['Udkast 2024.pdf', year, 'Budget (1024) Udkast 2024.pdf'],
  [`${'x'.repeat(250)}.pdf`, year, 'Budget (1024).pdf'],
])('the name %s becomes a name by the convention', (name, found, proposed) => {
  expect(proposedName(name, { folder: 'Budget', key: '1024' }, found)).toBe(proposed)
})
