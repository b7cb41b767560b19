import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findReleased, listMigrations, type Released } from '../../src/server/database/migrate.ts'
import { freshDirectory } from '../directory.ts'
import { ROOT } from '../start/processes.ts'

/** Makes a directory with the last release as it was committed, and its pages. It uses the packages that are installed here. */
export async function makeReleasedTree(): Promise<{ path: string; released: Released }> {
  const released = (await findReleased())!
  const { version, commit } = released
  const found = spawnSync('git', ['-C', ROOT, 'archive', '--format=tar', commit], { maxBuffer: 500_000_000 })
  if (found.status !== 0)
    throw new Error(
      `This test needs the release before this one (${version}, commit ${commit}), which is not in this clone: run \`git fetch --unshallow\`.`,
    )
  const path = await freshDirectory()
  execFileSync('tar', ['-x', '-C', path], { input: found.stdout })
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'))
  execFileSync(process.execPath, ['src/server/process/build.ts'], { cwd: path, stdio: 'ignore' })
  return { path, released }
}

const PARTS = [
  'src',
  'db',
  'dist',
  'scripts',
  'index.html',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
]

/** Makes a directory with a Ringbind that comes after this one: it is the same, except that its schema has more. */
export async function makeNextTree(sql: string): Promise<string> {
  const path = await freshDirectory()
  for (const part of PARTS) cpSync(join(ROOT, part), join(path, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'))
  const names = await listMigrations()
  const number = String(names.length + 1).padStart(4, '0')
  writeFileSync(join(path, `db/${number}_next.sql`), sql)
  const released: Released = { ...(await findReleased())!, version: 'this one', migration: names.at(-1)! }
  writeFileSync(join(path, 'db/released.json'), JSON.stringify(released))
  return path
}
