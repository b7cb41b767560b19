import { describe, expect, it } from 'vitest'
import { fold, idOfNumber, tokensOf } from './tokens.ts'

describe('the form in which words are compared', () => {
  it.each([
    ['Årsrapport', 'aarsrapport'],
    ['aarsrapport', 'aarsrapport'],
    ['Æble', 'aeble'],
    ['Købt', 'koebt'],
    ['KØBT', 'koebt'],
    ['Göteborg', 'goeteborg'],
    ['Müller', 'muller'],
    ['allé', 'alle'],
    ['A\u030arsrapport', 'aarsrapport'],
    ['Straße', 'strasse'],
    ['2024', '2024'],
    ['', ''],
  ])('the word %s is compared as %s', (text, folded) => expect(fold(text)).toBe(folded))
})

describe('the words and numbers of a text', () => {
  it.each([
    ['Årsrapport (1024) 2023.pdf', ['aarsrapport', '1024', '2023', 'pdf']],
    ['K/S Nordsøen', ['k', 's', 'nordsoeen']],
    ['kr. 1.234.567', ['kr', '1234567']],
    ['1.234,50 kr.', ['1234', '1234,50', 'kr']],
    ['1 234 567', ['1234567', '1234', '1', '234567', '234', '567']],
    ['12 34 56 78', ['12345678', '123456', '1234', '12', '345678', '3456', '34', '5678', '56', '78']],
    ['CVR 12345678', ['cvr', '12345678']],
    ['den 31.12.2024', ['den', 'd20241231', '31', '12', '2024']],
    ['31. december 2024', ['d20241231', '31', 'december', '2024']],
    ['5 May 2024', ['d20240505', '5', 'may', '2024']],
    ['5. okt. 2024', ['d20241005', '5', 'okt', '2024']],
    ['2024-12-31', ['d20241231', '2024', '12', '31']],
    ['31/12-2024', ['d20241231', '31', '12', '2024']],
    ['31. juledag 2024', ['31', 'juledag', '2024']],
    ['45.12.2024', ['45', '12', '2024']],
    ['2024 123 456', ['2024', '123456', '123', '456']],
    ['3. kvartal Q3', ['3', 'kvartal', 'q3']],
    ['2tal og 1,5 %', ['2tal', 'og', '1', '1,5']],
    ['1.2.3', ['1', '2', '3']],
    ['1.2345', ['1', '2345']],
    ['-500', ['500']],
    ['  …  ', []],
    ['x'.repeat(61), []],
  ])('the words and numbers of “%s”', (text, terms) =>
    expect(tokensOf(text).map(({ term }) => term)).toEqual(terms),
  )

  it('words and numbers have their positions in the text', () => {
    const text = 'Leje: 12 345 678,50 kr. i Aarhus'
    const found = tokensOf(text).map(({ from, to }) => text.slice(from, to))
    expect(found).toEqual([
      'Leje',
      '12 345 678',
      '12 345',
      '12',
      '345 678',
      '345',
      '678',
      '12 345 678,50',
      'kr',
      'i',
      'Aarhus',
    ])
  })

  it('the words of a text are found in linear time', () => {
    for (const text of [
      '1 '.repeat(50_000),
      '123 '.repeat(30_000),
      'é'.repeat(100_000),
      '1.234'.repeat(20_000),
    ])
      expect(tokensOf(text).length).toBeLessThan(text.length * 2)
  })
})

it('long numbers have an id computed from them', () => {
  expect(idOfNumber('1234567')).toBe(idOfNumber('1234567'))
  expect(idOfNumber('1234567')).not.toBe(idOfNumber('1234568'))
  for (const term of ['2024', '123456', 'nummer', 'abc1234567']) expect(idOfNumber(term)).toBeNull()
  expect(idOfNumber('1234,50')).toBeGreaterThanOrEqual(2 ** 30)
})
