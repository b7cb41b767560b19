import { describe, expect, it } from 'vitest'
import { findCprPage, findCvrs, findPersonNumbers, findProjectNumbers } from './find-numbers.ts'
import { linesOf } from './paper-lines.ts'

describe('findCvrs', () => {
  it.each([
    ['CVR-nr. 38291041', '38291041', true],
    ['CVR-nr.: 38 29 10 41', '38291041', true],
    ['Cvr.nr. DK-38291041', '38291041', true],
    ['Company reg. no. 38291041', '38291041', true],
    ['VAT no. DK38291041', '38291041', true],
    ['K/S Møllevej 12, 38291041', '38291041', false],
    ['CVR-nr. 38291045', null, null], // the check digit is wrong
    ['Ordrenr. 38291041', null, null],
    ['Tlf. 38 29 10 41', null, null],
    ['Fakturanr.: 38291041', null, null],
    ['Beløb 38.291.041', null, null],
    ['138291041', null, null],
    ['38291041-1234', null, null],
  ])('finds the CVR numbers of: %s', (line, number, isCalledSo) => {
    const found = findCvrs(linesOf([line]))
    expect(found.map((each) => [each.number, each.isCalledSo])).toEqual(
      number === null ? [] : [[number, isCalledSo]],
    )
  })
})

describe('numbers that words call somebody’s', () => {
  it.each([
    ['Projekt 1024', '1024'],
    ['Projektnr. 1024', '1024'],
    ['Projekt nr.: 1024B', '1024B'],
    ['Project no. 1024', '1024'],
    ['Ejendom nr. 17', '17'],
    ['Budget 1024', undefined],
    ['Projektet er afsluttet', undefined],
  ])('finds the number of a project: %s', (line, number) => {
    expect(findProjectNumbers(linesOf([line]))[0]?.number).toBe(number)
  })
  it.each([
    ['Investornr. 2001', '2001'],
    ['Investor nr.: 2001', '2001'],
    ['Investornummer 2001', '2001'],
    ['Anne Holm (Investor no. 2001)', '2001'],
    ['Kommanditist nr. 2001', '2001'],
    ['Investorer i 2001', undefined],
    ['Kundenr. 2001', undefined],
  ])('finds the number of a person: %s', (line, number) => {
    expect(findPersonNumbers(linesOf([line]))[0]?.number).toBe(number)
  })
})

describe('findCprPage', () => {
  it.each([
    'CPR-nr. 010170-1239',
    'Anne Holm, født 010170-1239',
    'Anne Holm 010170-1234', // modulus 11 dismisses none
    'Underskriver: Anne Holm (0101701239)',
    'cpr 010170 1239',
    'Personnummer: 29 02 72-1234'.replace('29 02 72', '290272'),
    '310199–4321',
    'Ejer: 010203 1234',
    'Ejer: 0102031234',
    'Kommanditist Anne Holm, 010203 1234',
  ])('looks like a CPR number: %s', (line) => {
    expect(findCprPage(['', line])).toBe(2)
  })
  it.each([
    'Fakturanr. 010124-1234',
    'Sagsnr. 010124-1234',
    'Periode 010124-311224',
    'Reg.nr. 1234 kontonr. 0101241234',
    'EAN-nr. 5790001234567',
    'Betalings-ID +71< 010124123456789+12345678<',
    'Investor nr. 010203 1234',
    'Ejerandel 120585 4100',
    '120585 4100', // two columns of a table
    '12.05.85-4100',
    '311225-2025', // a day and its year
    '320170-1239', // no day
    '300270-1239', // no day of February
    '1010170-1239',
    '010170-12390',
    '010170-xxxx',
    'IBAN DK50 0040 0440 1162 43',
    '01017012',
  ])('does not look like a CPR number: %s', (line) => {
    expect(findCprPage([line])).toBeNull()
  })
})
