import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openInstallation } from '../../src/copies/open-installation.server.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { freshDirectory } from '../directory.ts'
import { foldersByName, makeFile, makeProject } from '../make.ts'
import { postgresOf, startProcess } from './processes.ts'

const FILES = 150
const KILLS = 1

it('a killed export is complete in the end', { timeout: 300_000 }, async () => {
  const base = await freshDirectory()
  chmodSync(base, 0o711) // PostgreSQL's user must be able to enter
  const env = { DATA_DIR: join(base, 'data') }
  postgresOf(env.DATA_DIR)
  await using office = await openInstallation(readConfig(env), { say: () => undefined, mayBeEmpty: true })
  await migrate(office.db)
  const project = await makeProject(office.db, { number: '1024', name: 'K/S Nordhavn' })
  const { Budget } = await foldersByName(office.db, project.id)
  for (let count = 0; count < FILES; count++)
    await makeFile(office, Budget!, { name: `Budget ${count}.pdf`, bytes: Buffer.alloc(count * 50, count) })
  const root = join(base, 'ud')
  const written = () => readdir(join(root, 'Projekter/1024 K-S Nordhavn/Budget')).catch(() => [])
  const run = () => startProcess(env, { args: ['scripts/export.ts', root] })
  for (let round = 1; round <= KILLS; round++) {
    const killed = run()
    const many = (FILES * round) / (KILLS + 1)
    await expect
      .poll(async () => (await written()).length, { interval: 1, timeout: 60_000 })
      .toBeGreaterThan(many)
    killed.child.kill('SIGKILL')
    expect(await killed.ended).toBe('SIGKILL')
    expect(await readdir(root)).toContain('IKKE FÆRDIG.txt')
  }
  const last = run()
  expect([await last.ended, last.output()]).toEqual([
    0,
    expect.stringMatching(new RegExp(`has ${FILES} files of \\d+ bytes, \\d+ of them from before`)) as string,
  ])
  expect(await written()).toHaveLength(FILES)
  execFileSync('sha256sum', ['-c', '--quiet', '--strict', 'sha256.txt'], { cwd: root })
  expect((await readFile(join(root, 'sha256.txt'), 'utf8')).split('\n').length).toBeGreaterThan(FILES)
  const again = run()
  expect([await again.ended, again.output()]).toEqual([
    1,
    expect.stringContaining('has a whole export already') as string,
  ])
})
