import { expect, it } from 'vitest'
import { findTitles } from './find-title.ts'
import { findYear } from './find-year.ts'
import { linesOf } from './paper-lines.ts'

it.each([
  [['Årsrapport 2025'], 'annual', 2025],
  [['K/S Nordhavn Kontorhus – Årsrapport 2025'], 'annual', 2025],
  [['Å R S R A P P O R T 2 0 2 5'], 'annual', 2025],
  [['B U D G E T', '2 0 2 6'], 'budget', 2026],
  [['Årsrapport', '1. januar – 31. december 2025', 'Godkendt 3. maj 2026'], 'annual', 2025],
  [['Årsrapport 2024/25'], 'annual', 2025],
  [['Årsrapport 1. juli 2024 - 30. juni 2025'], 'annual', 2025],
  [['Budget 2026 med sammenligningstal 2025'], 'budget', 2026],
  [['Kapitalkonto pr. 31.12.2025'], 'capital account', 2025],
  [
    ['Referat af ordinær generalforsamling', 'Afholdt den 3. maj 2026', '2. Årsrapport for 2025'],
    'general meeting',
    2026,
  ],
  [['Lejekontrakt', 'i henhold til lov af 1. juni 2016', 'Dato: 4/5 2024'], 'lease', 2024],
  [['Police – bygningsforsikring', 'Ikrafttrædelse 2025-01-01'], 'insurance', 2025],
  [['Emne: Udlodning fra K/S X', 'May 3, 2025'], 'distribution', 2025],
  [['Der indkaldes til ordinær generalforsamling', '12.03.2026'], 'general meeting', 2026],
  [['Årsopgørelse for realkreditlån 2024'], 'loan', 2024],
  [['2. Årsrapport for 2025'], undefined, undefined],
  [['Vi sender årsrapporten for 2025 i næste uge, når revisor er færdig.'], undefined, undefined],
  [['Bygningsforsikring A/S'], undefined, undefined],
  [['Kære Anne'], undefined, undefined],
])('the year of %s', (lines, kind, year) => {
  const read = linesOf([lines.join('\n')])
  const [title] = findTitles(read)
  expect([title?.kind.id, findYear(read, title ?? null)?.year]).toEqual([kind, year])
})

it.each([
  ['Kvartalsrapport 2. kvartal 2025', 2],
  ['Kvartalsrapport Q3 2025', 3],
  ['Quarterly report, fourth quarter 2025', 4],
  ['Rapport for 1. kvartal 2025', 1],
  ['Årsrapport 2025', null],
])('the quarter of %s', (line, quarter) => {
  const lines = linesOf([line])
  expect(findYear(lines, findTitles(lines)[0]!)?.quarter).toBe(quarter)
})

it('a cover letter is not the paper', () => {
  const lines = linesOf([
    'Hermed lejekontrakten til jeres arkiv.\nMed venlig hilsen',
    'Lejekontrakt\nUdlejer:',
  ])
  expect(findTitles(lines)).toMatchObject([{ said: 'Lejekontrakt', page: 2 }])
})

it('a day that is only mentioned gives no certain year', () => {
  const lines = linesOf([
    'Lejekontrakt\nEjendommen blev købt tilbage i foråret og overtaget 1. juni 2016 af den nye ejer',
  ])
  expect(findYear(lines, findTitles(lines)[0]!)).toMatchObject({ year: 2016, isCertain: false })
})
