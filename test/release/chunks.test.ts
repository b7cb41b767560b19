import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FILE_LISTS, FRAME, LATE_FRAME } from '../../scripts/chunks.ts'

it('the chunks of the browser name files that there are, each once', () => {
  const all = [...FRAME, ...LATE_FRAME, ...FILE_LISTS]
  expect(all.filter((file) => !existsSync(new URL(`../../src/${file}`, import.meta.url)))).toEqual([])
  expect(all.filter((file, index) => all.indexOf(file) !== index)).toEqual([])
})
