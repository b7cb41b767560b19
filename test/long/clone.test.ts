import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshDirectory } from '../directory.ts'
import { postgresOf, ROOT, startProcess, statusOf } from '../start/processes.ts'

const isRoot = process.geteuid?.() === 0

/** Copies the project as git would clone it, with its packages, built or not, to a directory that only its owner can enter. */
async function makeClone(owner: { uid: number; gid: number } | undefined, isBuilt: boolean) {
  const base = await freshDirectory('/tmp') // on a disk, where the packages can be linked
  chmodSync(base, 0o711)
  const home = join(base, 'home')
  const project = join(home, 'ringbind')
  mkdirSync(project, { recursive: true })
  const names = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const name of names.trim().split('\n')) cpSync(join(ROOT, name), join(project, name))
  // Hard links where possible: the packages take hundreds of megabytes.
  const copy = (flags: string) => spawnSync('cp', [flags, join(ROOT, 'node_modules'), project]).status === 0
  expect(copy('-al') || copy('-a')).toBe(true)
  if (isBuilt) cpSync(join(ROOT, 'dist'), join(project, 'dist'), { recursive: true })
  if (owner) for (const path of [home, project]) chownSync(path, owner.uid, owner.gid)
  chmodSync(home, 0o700)
  return { base, home, project }
}

async function startsAndStops(
  project: string,
  home: string,
  env: Record<string, string>,
  owner?: { uid: number; gid: number },
) {
  const { child, url, ended, output } = startProcess(
    { HOME: home, npm_config_cache: join(home, '.npm'), ...env },
    { command: 'npm', args: ['start'], cwd: project, ...owner },
  )
  expect(await statusOf(await url)).toBe(200)
  expect(output().match(/is running at http:/g)).toHaveLength(1)
  child.kill('SIGTERM')
  await ended
}

it.runIf(isRoot)('runs as root in a directory that only root can enter', async () => {
  const { base, home, project } = await makeClone(undefined, true)
  const postgres = postgresOf(join(base, 'data'))
  await startsAndStops(project, home, { DATA_DIR: join(base, 'data') })
  await expect.poll(postgres).toEqual([]) // npm ends at once, Ringbind a little later
})

it('runs as an ordinary user in a home directory of mode 700', async () => {
  const id = (flag: string) =>
    Number(execFileSync('id', isRoot ? [flag, 'nobody'] : [flag], { encoding: 'utf8' }))
  const owner = { uid: id('-u'), gid: id('-g') }
  const { home, project } = await makeClone(isRoot ? owner : undefined, false)
  const postgres = postgresOf(join(home, '.local/share/ringbind'))
  await startsAndStops(project, home, {}, isRoot ? owner : undefined)
  await expect.poll(postgres).toEqual([]) // npm ends at once, Ringbind a little later
})
