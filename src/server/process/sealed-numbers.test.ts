import { expect, it } from 'vitest'
import { SealedNumbers } from './sealed-numbers.ts'

it('opens its own numbers, and seals the same number as different texts', () => {
  const numbers = new SealedNumbers()
  const texts = [0, 7, 7, 2 ** 40].map((number) => numbers.seal(number))
  expect(texts.map((text) => numbers.open(text))).toEqual([0, 7, 7, 2 ** 40])
  expect(new Set(texts).size).toBe(4)
  expect(new Set(texts.map(({ length }) => length)).size).toBe(1)
})

it('opens no other text', () => {
  const numbers = new SealedNumbers()
  const text = numbers.seal(7)
  const other = `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`
  for (const each of ['', '7', other, `${text}AAAA`, new SealedNumbers().seal(7)])
    expect(numbers.open(each)).toBeNull()
})
