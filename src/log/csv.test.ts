import { expect, it } from 'vitest'
import { csvLine } from './csv.ts'

it.each([
  ['Årsrapport 2024.pdf', 'Årsrapport 2024.pdf'],
  ['', ''],
  ['a;b', '"a;b"'],
  ['a,b', '"a,b"'],
  ['12" skærm', '"12"" skærm"'],
  ['to\nlinjer', '"to\nlinjer"'],
  ['to\r\nlinjer', '"to\r\nlinjer"'],
  [' luft ', '" luft "'],
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("http://ond.example";"Klik")', `"'=HYPERLINK(""http://ond.example"";""Klik"")"`],
  ['+45 12 34 56 78', "'+45 12 34 56 78"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  ['  =1', "'  =1"],
  ['＝1', "'＝1"],
  ['a=b', 'a=b'],
  ['2026-11-15', '2026-11-15'],
  ["'=1", "'=1"],
  ['a;"b"\n=c', '"a;""b""\n=c"'],
])('writes %j as the cell %s', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`)
})

it.each([
  [0, '0'],
  [1024, '1024'],
  [-5, '-5'],
  [12.5, '12,5'],
])('writes the number %j as the cell %s', (number, cell) => {
  expect(csvLine([number])).toBe(`${cell}\r\n`)
})

it('separates cells by semicolons', () => {
  expect(csvLine(['1', '', 'a;b', 'Åse'])).toBe('1;;"a;b";Åse\r\n')
})
