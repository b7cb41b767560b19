import { expect, it } from 'vitest'
import { linesOf } from './paper-lines.ts'
import { findLikeness, modelWords, trainModel } from './word-model.ts'

const wordsOf = (text: string) => modelWords(linesOf([text]), [])
const many = (key: string, text: string, count = 12) =>
  Array.from({ length: count }, (_, index) => ({
    key,
    words: wordsOf(`${text}\nNummer ${'abcdefghijkl'[index]}xyz`),
  }))

const model = trainModel([
  ...many('diverse', 'Energimærke\nVarmeforbrug og isolering'),
  ...many('forsikring', 'Police\nDækning og præmie og selvrisiko'),
  ...many('budget', 'Budget\nLejeindtægt og renter'),
  ...many('saelden', 'Meget sjælden mappe', 2),
])

it('recognises papers like those of a folder, and says by which words', () => {
  const [best] = findLikeness(model, wordsOf('Energimærke\nHer er varmeforbrug'))
  expect(best).toMatchObject({ key: 'diverse', isConvincing: true })
  expect(best!.share).toBeGreaterThan(0.9)
  expect(best!.words).toEqual(expect.arrayContaining(['energimaerke', 'varmeforbrug']))
})

it.each([
  ['words that all folders have', 'Og og nummer'],
  ['one word alone', 'Noget\nhelt\nandet\nom\nselvrisiko'],
  ['words that stand far down', `${'Noget andet her\n'.repeat(12)}dækning præmie selvrisiko`],
])('the model is not convinced by %s', (_what, text) => {
  expect(findLikeness(model, wordsOf(text)).some(({ isConvincing }) => isConvincing)).toBe(false)
})

it('a folder with few papers has no model, and unknown words say nothing', () => {
  expect(model.folders.map(({ key }) => key)).toEqual(['budget', 'diverse', 'forsikring'])
  expect(findLikeness(model, wordsOf('Ganske ukendt'))).toEqual([])
  expect(findLikeness(trainModel([]), wordsOf('Budget'))).toEqual([])
})

it('ignores names and numbers', () => {
  expect(
    modelWords(linesOf(['Budget 2025\nK/S Nordhavn Kontorhus\nSkovvej 3']), [{ said: 'Nordhavn Kontorhus' }]),
  ).toEqual(['budget', '^budget', 'skovvej'])
})
