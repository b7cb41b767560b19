import { expect, it } from 'vitest'
import { parseQuestion } from './question.ts'

it.each([
  ['årsrapport 2024', ['aarsrapport', '2024']],
  ['  Årsrapport,  2024! ', ['aarsrapport', '2024']],
  ['K/S Nordsøen', ['nordsoeen']],
  ['i', ['i']],
  ['12 34 56 78', ['12345678']],
  ['1.234.567,50', ['1234567,50']],
  ['31. december 2024', ['d20241231']],
  ['leje 1 234 567 kr', ['leje', '1234567', 'kr']],
  ['"den 31. december 2024" leje', ['den+d20241231', 'leje']],
  ['»årets resultat«', ['aarets+resultat']],
  ['"åben', ['aaben']],
  ['"to ord', ['to+ord']],
  ['""', []],
  ['', []],
  ['?!', []],
])('the question %s asks for %j', (q, asked) =>
  expect(parseQuestion(q).map((unit) => (unit.kind === 'phrase' ? unit.terms.join('+') : unit.term))).toEqual(
    asked,
  ),
)

it('a number in groups also counts as separate numbers', () => {
  expect(parseQuestion('2024 123 456')).toEqual([
    { kind: 'number', term: '2024', text: '2024', parts: [] },
    { kind: 'number', term: '123456', text: '123 456', parts: ['123', '456'] },
  ])
})

it('only the first twelve words of a question count', () => {
  expect(parseQuestion(Array.from({ length: 40 }, (_, n) => `ord${n}`).join(' '))).toHaveLength(12)
})
