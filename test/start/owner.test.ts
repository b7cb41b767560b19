import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, globSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshDirectory } from '../directory.ts'
import { postgresOf, ROOT, shareCompiled, startProcess, statusOf } from './processes.ts'

const isRoot = process.geteuid?.() === 0
/** A user without a name or a home. */
const STRANGER = 54_321

async function passable(): Promise<string> {
  const base = await freshDirectory()
  chmodSync(base, 0o711)
  return base
}

const run = (script: string, env: Record<string, string>, args: string[] = []) =>
  spawnSync(process.execPath, [script, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, PORT: '0', ...shareCompiled(), ...env },
  })

describe.runIf(isRoot)('root, on data that belongs to another user,', () => {
  const REFUSED = new RegExp(`^.* belongs to user ${STRANGER}, and this is run by .*: run it as .*\\n$`)

  it.each([
    ['src/server.ts', []],
    ['scripts/backup.ts', ['/tmp/never.tar']],
    ['scripts/verify.ts', []],
    ['scripts/move-storage.ts', []],
    ['scripts/restore.ts', ['/tmp/never.tar']],
  ])(
    'root does not run %s on another user’s data, says so in one line, and leaves no files',
    async (script, args) => {
      const DATA_DIR = join(await passable(), 'data')
      mkdirSync(join(DATA_DIR, 'postgres/cluster'), { recursive: true })
      for (const path of ['', 'postgres', 'postgres/cluster'])
        chownSync(join(DATA_DIR, path), STRANGER, STRANGER)
      const { status, stderr } = run(script, { DATA_DIR }, args)
      expect([status, stderr]).toEqual([1, expect.stringMatching(REFUSED)])
      const left = globSync('**', { cwd: DATA_DIR }).filter(
        (path) => statSync(join(DATA_DIR, path)).uid === 0,
      )
      expect(left).toEqual([])
    },
  )
})

it.runIf(isRoot)('root can start Ringbind with umask 077 and without HOME', async () => {
  const DATA_DIR = join(await passable(), 'new/data')
  postgresOf(DATA_DIR)
  const { url } = startProcess(
    { DATA_DIR, HOME: '' },
    { command: '/bin/sh', args: ['-c', 'umask 077; unset HOME; exec "$0" src/server.ts', process.execPath] },
  )
  expect(await statusOf(`${await url}/readyz`)).toBe(200)
})

it.runIf(isRoot)('a user without a home is told to set DATA_DIR', () => {
  const config = JSON.stringify(new URL('../../src/config.ts', import.meta.url).href)
  const code = `import(${config}).then(({ readConfig }) => readConfig({})).catch(({ message }) => console.log(message))`
  const { stdout } = spawnSync(process.execPath, ['-e', code], {
    cwd: '/',
    encoding: 'utf8',
    uid: STRANGER,
    env: { PATH: process.env.PATH },
  })
  expect(stdout).toBe(
    'DATA_DIR takes a directory; it is not set, and there is no home directory to put it in.\n',
  )
})
