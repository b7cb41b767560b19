import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { DEMO_TOKEN } from '../../demo/tokens.ts'
import { freshDirectory } from '../directory.ts'
import { postgresOf, startProcess } from '../start/processes.ts'

const TOUR = join(import.meta.dirname, '../client/tour.ts')

it('the demo deletes its data at its end, and starts again after kill -9', async () => {
  const TMPDIR = join(await freshDirectory(), 'tmp')
  chmodSync(join(TMPDIR, '..'), 0o711)
  mkdirSync(TMPDIR, { mode: 0o711 })
  const demo = () => startProcess({ TMPDIR }, { args: ['demo/demo.ts'] })
  const first = demo()
  await expect.poll(() => readdirSync(TMPDIR)).toHaveLength(1)
  const [name] = readdirSync(TMPDIR)
  const postgres = postgresOf(join(TMPDIR, name!, 'data'))
  await expect.poll(() => postgres().length).toBeGreaterThan(1) // filling it takes longest
  first.child.kill('SIGKILL')
  await first.ended
  const second = demo()
  const url = await second.url
  expect(await (await fetch(url)).text()).toContain('Dette er en demo')
  // A program goes through the whole API with the demo's key: see test/release/client.test.ts.
  const tour = await promisify(execFile)(process.execPath, [TOUR, new URL(url).origin, DEMO_TOKEN])
  expect(tour.stdout).toContain('The tour is over.')
  expect(readdirSync(TMPDIR)).toEqual([name])
  second.child.kill('SIGINT')
  expect(await second.ended).toBe(0)
  expect(readdirSync(TMPDIR)).toEqual([])
  expect(postgres()).toEqual([])
})
