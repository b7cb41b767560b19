import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freshDirectory } from '../../../test/directory.ts'
import { openDataDirectory } from './data-directory.ts'

const HOLDER = `
  import { openDataDirectory } from ${JSON.stringify(new URL('./data-directory.ts', import.meta.url).href)}
  openDataDirectory(process.argv[1])
  console.log('held')
  setInterval(() => {}, 1000)`

it('a second Ringbind stops with one clear line, and the directory is free at once after kill -9', async () => {
  const path = join(await freshDirectory(), 'data')
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  expect(() => openDataDirectory(path)).toThrow(`Another Ringbind is already running on ${path}.`)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  openDataDirectory(path).unlock()
})

it('a data directory can be opened again after it was unlocked', async () => {
  const path = await freshDirectory()
  openDataDirectory(path).unlock()
  openDataDirectory(path).unlock()
})

it('reports that the data directory cannot be made', async () => {
  const path = await freshDirectory()
  writeFileSync(join(path, 'file'), '')
  expect(() => openDataDirectory(join(path, 'file/data'))).toThrow(/^The data directory .* cannot be used/)
})

it('reports that the lock of the data directory cannot be written', async () => {
  const path = await freshDirectory()
  mkdirSync(join(path, 'lock'))
  expect(() => openDataDirectory(path)).toThrow(/^Ringbind cannot write /)
})
