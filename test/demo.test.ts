import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshDirectory } from './directory.ts'
import { postgresOf, startProcess } from './processes.ts'

it('the demo deletes its data at its end, and starts again after kill -9', async () => {
  const TMPDIR = join(await freshDirectory(), 'tmp')
  chmodSync(join(TMPDIR, '..'), 0o711)
  mkdirSync(TMPDIR, { mode: 0o711 })
  const demo = () => startProcess({ TMPDIR }, { args: ['demo/demo.ts'] })
  const first = demo()
  expect(await (await fetch(await first.url)).text()).toContain('Dette er en demo')
  const [name] = readdirSync(TMPDIR)
  const postgres = postgresOf(join(TMPDIR, name!))
  first.child.kill('SIGKILL')
  await first.ended
  const second = demo()
  await second.url
  expect(readdirSync(TMPDIR)).toEqual([name])
  second.child.kill('SIGINT')
  expect(await second.ended).toBe(0)
  expect(readdirSync(TMPDIR)).toEqual([])
  expect(postgres()).toEqual([])
})
