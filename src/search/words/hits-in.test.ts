import { describe, expect, it } from 'vitest'
import { contextOf, hitsIn, piecesOf, type Answers } from './hits-in.ts'

const answers = (...parts: string[]): Answers =>
  parts.map((words) => (term) => words.split(' ').includes(term))
const shown = (text: string, ...parts: string[]) =>
  contextOf(text, answers(...parts))
    .pieces.map(({ text: piece, isHit }) => (isHit ? `[${piece}]` : piece))
    .join('')

describe('the words in context', () => {
  it.each([
    ['Årets leje er betalt.', ['leje'], 'Årets [leje] er betalt.'],
    ['Lejen er 1.234.567 kr.', ['1234567'], 'Lejen er [1.234.567] kr.'],
    ['CVR 12 34 56 78', ['12345678'], 'CVR [12 34 56 78]'],
    ['Købt i Aarhus', ['koebt', 'aarhus'], '[Købt] i [Aarhus]'],
    ['to\n\n  linjer', ['linjer'], 'to [linjer]'],
    ['intet', ['noget'], ''],
  ])('shows in context: %s', (text, parts, pieces) => expect(shown(text, ...parts)).toBe(pieces))

  it('the context is where most of the words stand together', () => {
    const filler = 'ord '.repeat(100)
    const text = `leje ${filler} leje og moms ${filler}`
    expect(shown(text, 'leje', 'moms')).toMatch(/^… .*\[leje\] og \[moms\] .* …$/)
  })

  it('the context is cut between words', () => {
    const text = `${'aaaaa '.repeat(40)}leje${' bbbbb'.repeat(40)}`
    const line = shown(text, 'leje')
    expect(line).toMatch(/^… (aaaaa )+\[leje\]( bbbbb)+ …$/)
    expect(line.length).toBeLessThan(210)
  })

  it('the context of a page without spaces is cut anyway', () => {
    expect(shown(`leje ${'x'.repeat(5000)}`, 'leje').length).toBeLessThan(230)
  })
})

it('a text without hits is one piece', () => {
  expect(piecesOf('Fil.pdf', hitsIn('Fil.pdf', answers('andet')))).toEqual([
    { text: 'Fil.pdf', isHit: false },
  ])
})
