import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject } from 'vitest'
import { freshDirectory } from '../directory.ts'
import { postgresOf, startProcess } from './processes.ts'

/** A data directory for a Ringbind of the test's own. Nothing is there yet, so its first start makes a database. */
export async function emptyDirectory(): Promise<string> {
  const base = await freshDirectory()
  chmodSync(base, 0o711) // root's PostgreSQL runs as another user
  return join(base, 'data')
}

/** A directory after a first start, with an empty database: copying one costs a tenth of making one. */
export async function startedDirectory(): Promise<string> {
  const directory = await emptyDirectory()
  await copyDirectory(await ensureStarted(), directory)
  return directory
}

/** Gives a directory for PostgreSQL its programs. */
export async function linkPrograms(directory: string): Promise<void> {
  const made = join(await ensureStarted(), 'postgres')
  for (const name of readdirSync(made).filter(isPrograms)) await link(join(made, name), join(directory, name))
}

/** PostgreSQL's programs, half of the bytes, are never written to: they are linked where that can be done. */
async function copyDirectory(from: string, to: string): Promise<void> {
  mkdirSync(to)
  chmodSync(to, statSync(from).mode & 0o777)
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)]
    if (name === 'postgres') await copyDirectory(source, target)
    else if (isPrograms(name)) await link(source, target)
    else expect(await copy('-a', source, target)).toBe(true)
  }
}

const isPrograms = (name: string) => name.startsWith('runtime-')

async function link(source: string, target: string): Promise<void> {
  expect((await copy('-al', source, target)) || (await copy('-a', source, target))).toBe(true)
}

const copy = (flags: string, source: string, target: string) =>
  promisify(execFile)('cp', [flags, source, target]).then(
    () => true,
    () => false,
  )

/** One for all test files of the run, made by the first that asks. */
async function ensureStarted(): Promise<string> {
  const made = join(inject('shared'), 'started')
  if (!existsSync(made) && claim(`${made}.claim`)) await make(made)
  await expect.poll(() => existsSync(made)).toBe(true)
  return made
}

function claim(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch {
    return false // another test file makes it
  }
}

async function make(path: string): Promise<void> {
  const DATA_DIR = `${path}.new`
  const postgres = postgresOf(DATA_DIR)
  try {
    const { child, url, ended } = startProcess({ DATA_DIR })
    await url
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(postgres()).toEqual([])
    renameSync(DATA_DIR, path)
  } finally {
    if (!existsSync(path)) rmdirSync(`${path}.claim`)
  }
}
