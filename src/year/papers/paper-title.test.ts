import { expect, it } from 'vitest'
import { paperTitle, shortProjectName } from './paper-title.ts'

it.each([
  ['Årsrapport', '2025', 'Årsrapport (1024) 2025.pdf', 'Årsrapport 2025'],
  ['Årsrapport', '2024/25', 'scan0001.pdf', 'Årsrapport 2024/25'],
  [
    'Kvartalsrapport',
    '3. kvartal 2025',
    'Kvartalsrapport (1024) Q3 2025.pdf',
    'Kvartalsrapport 3. kvartal 2025',
  ],
  [
    'Generalforsamling',
    '2026',
    'Generalforsamling (1) Referat 12. maj 2026.pdf',
    'Generalforsamling 2026, Referat 12. maj',
  ],
  ['Skatteoplysninger', '2025', 'Skatteoplysninger (1) Indkomståret 2025.pdf', 'Skatteoplysninger 2025'],
  ['Forsikring', '2026', 'Forsikring (1) Police 2026.pdf', 'Forsikring 2026, Police'],
  ['Diverse', '', 'Diverse (1024) Vedtægter.pdf', 'Vedtægter'],
  ['Diverse', '', 'Vedtægter.v2.pdf', 'Vedtægter.v2'],
  ['Budget', '', 'Budget (1024).pdf', 'Budget'],
  ['Budget', '2026', '', 'Budget 2026'],
  [null, '2025', 'Årsopgørelse (2001) 2025.pdf', 'Årsopgørelse 2025'],
  [null, '', 'Mit pas.pdf', 'Mit pas'],
])('a paper in %s of the period ”%s” with the name ”%s” is %s', (folder, period, name, title) => {
  expect(paperTitle({ folder, period, name, whose: 'Nordhavn' })).toBe(`${title} · Nordhavn`)
})

it.each([
  ['K/S Nordhavn Kontorhus', 'Nordhavn Kontorhus'],
  ['k/s Skagen', 'Skagen'],
  ['Nordhavn K/S', 'Nordhavn K/S'],
  ['K/S', 'K/S'],
])('%s is shown as %s', (name, short) => {
  expect(shortProjectName(name)).toBe(short)
})
