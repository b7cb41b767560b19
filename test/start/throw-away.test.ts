import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openThrowAway } from '../../demo/throw-away.ts'
import { freshDirectory } from '../directory.ts'

let temporary: string
const before = process.env.TMPDIR
beforeAll(async () => {
  temporary = await freshDirectory()
  process.env.TMPDIR = temporary
})
afterAll(() => {
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
})

it('never uses a directory that is in use', async () => {
  const [first, second] = [await openThrowAway('a'), await openThrowAway('a')]
  expect(first.path).not.toBe(second.path)
  first.remove()
  second.remove()
  expect(readdirSync(temporary)).toEqual([])
})

it('reuses a directory that another process left, and never follows a link', async () => {
  const precious = await freshDirectory()
  mkdirSync(join(precious, 'data'))
  writeFileSync(join(precious, 'data/paper.pdf'), 'x')
  symlinkSync(precious, join(temporary, `ringbind-b-${process.geteuid!()}-1`))
  const throwAway = await openThrowAway('b')
  expect(throwAway.path).toContain('-2/data')
  throwAway.remove()
  expect(existsSync(join(precious, 'data/paper.pdf'))).toBe(true)
})
