import { describe, expect, it } from 'vitest'
import { partName, partNameFault, patternFault, suggestPattern } from './part-names.ts'

describe('a pattern', () => {
  it.each([
    ['Årsopgørelse ({nummer}) 2025.pdf', null],
    ['{navn}.pdf', null],
    ['{ Navn } {NUMMER}.PDF', null],
    ['', 'Skriv, hvad filerne skal hedde.'],
    ['   ', 'Skriv, hvad filerne skal hedde.'],
    ['Årsopgørelse 2025.pdf', 'Brug {nummer} eller {navn}, så filerne kan kendes fra hinanden.'],
    ['Årsopgørelse ({nummer})', 'Navnet skal slutte på .pdf.'],
    ['Årsopgørelse ({nummer}).docx', 'Navnet skal slutte på .pdf.'],
    ['../{nummer}.pdf', 'Filnavnet må ikke indeholde skråstreger eller styretegn.'],
    ['a\\{nummer}.pdf', 'Filnavnet må ikke indeholde skråstreger eller styretegn.'],
    ['a\u0000{nummer}.pdf', 'Filnavnet må ikke indeholde skråstreger eller styretegn.'],
    ['{nummer} {år}.pdf', 'Brug kun {nummer} og {navn}, ikke {år}.'],
    ['{nummer} {}.pdf', 'Brug kun {nummer} og {navn}, ikke {}.'],
    ['{nummer} {navn.pdf', 'Der mangler en krøllet parentes.'],
    [`${'a'.repeat(250)}{nummer}.pdf`, 'Filnavnet må højst være på 200 tegn.'],
  ])('reads the pattern %j', (pattern, fault) => {
    expect(patternFault(pattern)).toBe(fault)
  })

  it.each([
    ['Årsopgørelse ({nummer}) 2025.pdf', 'Årsopgørelse (2001) 2025.pdf'],
    ['{navn} {navn}.pdf', 'Holm AS Holm AS.pdf'],
    ['  {nummer}   a.pdf', '2001 a.pdf'],
  ])('fills in the pattern %j', (pattern, name) => {
    expect(partName(pattern, { name: 'Holm A/S', number: '2001' })).toBe(name)
  })

  it('a name with braces is not filled in', () => {
    expect(partName('{navn}.pdf', { name: '{nummer}', number: '2001' })).toBe('nummer.pdf')
  })

  it('refuses a pattern for somebody whose file could not have that name', () => {
    const person = { name: 'Bo Falk', number: null }
    expect(partNameFault('{navn}.pdf', person)).toBe(null)
    expect(partNameFault('({ nummer }).pdf', person)).toBe(
      'Bo Falk har intet nummer. Brug {navn} i filnavnet.',
    )
    expect(partNameFault(`{navn}{navn}.pdf`, { name: 'a'.repeat(200), number: '1' })).toMatch(
      /længere end 255 tegn/,
    )
  })
})

it.each([
  ['Årsopgørelser 2025.pdf', 'Årsopgørelser ({nummer}) 2025.pdf'],
  ['Årsopgørelser 2024-25 endelig.pdf', 'Årsopgørelser endelig ({nummer}) 2024-25.pdf'],
  ['2025 Årsopgørelser.PDF', 'Årsopgørelser ({nummer}) 2025.pdf'],
  ['Scan.pdf', 'Scan ({nummer}).pdf'],
  ['Årsopgørelse (1024) 2025.pdf', 'Årsopgørelse ({nummer}) 2025.pdf'],
  ['.pdf', '.pdf ({nummer}).pdf'],
  [`${'a'.repeat(240)}.pdf`, `${'a'.repeat(184)} ({nummer}).pdf`],
])('suggests for %j a pattern without a fault', (name, pattern) => {
  expect(suggestPattern(name)).toBe(pattern)
  expect(patternFault(pattern)).toBe(null)
})
