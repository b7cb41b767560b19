import { expect, it } from 'vitest'
import { readFileName } from '../src/uploads/names/file-name.ts'
import { pile } from './pile.ts'

it('most of the files to drop follow the convention, and some do not', () => {
  const names = pile().map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const wrong = names.filter((name) => !readFileName(name))
  expect(wrong).toEqual(['Scan 0001.pdf'])
})

it('the files are the same every time', () => {
  expect(pile()).toEqual(pile())
})
