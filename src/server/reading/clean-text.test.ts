import { describe, expect, it } from 'vitest'
import { cleanText, MOST_PAGE_LETTERS } from './clean-text.ts'

describe('the text of a page', () => {
  it.each([
    ['Årsrapport 2023', 'Årsrapport 2023'],
    ['A\u030arsrapport', 'Årsrapport'], // NFC
    ['  Side   1\t af\u00a0 2  ', 'Side 1 af 2'],
    ['en\r\nto\rtre\u2028fire', 'en\nto\ntre\nfire'],
    ['en  \n  to', 'en\nto'],
    ['en\n\n\n \n\nto', 'en\n\nto'],
    // Words divided at the end of a line
    ['års-\nrapport', 'årsrapport'],
    ['års-  \n  rapport for', 'årsrapport for'],
    ['års\u00ad\nrapport', 'årsrapport'],
    ['års\u2010\r\nrapport', 'årsrapport'],
    ['å\u00ad\nret', 'året'],
    ['års\u00adrapport', 'årsrapport'],
    ['bygnings-\nog grundværdi', 'bygnings-\nog grundværdi'],
    ['bygnings-\nogle', 'bygningsogle'],
    ['e-\nmail', 'e-\nmail'],
    ['K/S-\nselskab', 'K/S-\nselskab'],
    ['Nord-\nJylland', 'Nord-\nJylland'],
    ['2023-\n2024', '2023-\n2024'],
    ['punkt -\nnæste', 'punkt -\nnæste'],
    // Invisible characters, and those that are no letters
    ['hem\u200bme\u2060lig\ufeff', 'hemmelig'],
    ['\u202eteskst\u202c', 'teskst'],
    ['a\0b\x07c\x1b[31m', 'abc[31m'],
    ['\uf0b7 Punkt', 'Punkt'],
    ['lone \ud800 half', 'lone half'],
    ['e\ufb03cient \ufb01nans', 'efficient finans'],
    ['', ''],
    [' \n\t\0 ', ''],
    ['æøå ÆØÅ é ü 漢字 😀', 'æøå ÆØÅ é ü 漢字 😀'],
    ['1.234.567,89 kr.', '1.234.567,89 kr.'],
  ])('the text %j becomes %j', (raw, clean) => {
    expect(cleanText(raw)).toBe(clean)
    expect(cleanText(clean)).toBe(clean)
  })

  it.each([
    ['spaces', ' '.repeat(1e6)],
    ['lines', '\n'.repeat(1e6)],
    ['spaces and lines', ' \n'.repeat(1e6)],
    ['hyphens', 'aa-\n'.repeat(1e6)],
    ['soft hyphens', '\u00ad'.repeat(1e6)],
    ['marks over one letter', `a${'\u0301'.repeat(1e6)}`],
    ['invisible letters', '\u200b'.repeat(1e6)],
  ])('a page of a million %s is cleaned fast', (_what, raw) => {
    const began = performance.now()
    expect(cleanText(raw).length).toBeLessThanOrEqual(MOST_PAGE_LETTERS)
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
