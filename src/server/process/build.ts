import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PROJECT } from './project-directory.ts'
import { brotliCompress, constants, gzip } from 'node:zlib'

const ROOT = fileURLToPath(PROJECT)
const DIST = join(ROOT, 'dist')
const STAMP = join(DIST, 'built-from')

/** Builds pages, assets and the server into dist/, unless a build of the present sources is there. */
export async function ensureBuild(say: (message: string) => unknown): Promise<void> {
  const sources = hashSources()
  const isBuilt = () => readBuild() === sources
  if (isBuilt()) return
  await say('Building the pages; this takes a moment the first time …')
  await oneAtATime(async () => {
    if (!isBuilt()) await build(sources)
  })
}

/** Returns the hash of the sources that the build was made from, which identifies it. */
export function readBuild(): string {
  return existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : ''
}

/**
 * Lets one process build at a time. Instances of one checkout may start together, and none may replace a build that
 * another has begun to read.
 */
async function oneAtATime(work: () => Promise<void>): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite') // its lock is freed by the kernel
  const lock = new DatabaseSync(join(ROOT, '.building'))
  try {
    while (!tryToTake(lock)) await sleep(200)
    await work()
  } finally {
    lock.close()
  }
}

function tryToTake(lock: DatabaseSync): boolean {
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false
    throw error
  }
}

const SQLITE_BUSY = 5

async function build(sources: string): Promise<void> {
  await removeAbandoned()
  const fresh = join(ROOT, `dist-${process.pid}`)
  await mkdir(fresh, { recursive: true })
  try {
    await runVite(fresh)
    await compressAssets(join(fresh, 'client'))
    await writeFile(join(fresh, basename(STAMP)), sources)
    await replaceBuild(fresh)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Removes what killed builds left behind. A build's directory is named after its process. */
async function removeAbandoned(): Promise<void> {
  for await (const name of glob('dist-*', { cwd: ROOT })) {
    if (!isAlive(parseInt(name.slice('dist-'.length))))
      await rm(join(ROOT, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Replaces dist/ by the new build. If it is killed in between, there is no build, and the next start builds again.
 */
async function replaceBuild(fresh: string): Promise<void> {
  const old = `${fresh}-old`
  for (let attempt = 1; ; attempt++) {
    if (existsSync(DIST)) await rename(DIST, old).catch(() => undefined)
    try {
      await rename(fresh, DIST)
      break
    } catch (error) {
      if (attempt === 5) throw error
    }
  }
  await rm(old, { recursive: true, force: true })
}

/** Reads without waiting for anything else: a start has nothing else to do, and this is five times as fast. */
function hashSources(): string {
  const hash = createHash('sha256')
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|css|svg)$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join('src', name))
  for (const name of [
    ...sources,
    'index.html',
    'scripts/chunks.ts',
    'vite.config.ts',
    'package-lock.json',
  ].sort())
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(ROOT, name)))
      .update('\0')
  return hash.digest('hex')
}

/** Runs Vite in its own process, so that the server never carries the builder's memory. */
async function runVite(outDir: string): Promise<void> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const child = spawn(
    process.execPath,
    [vite, 'build', '--app', '--configLoader', 'native', '--logLevel', 'warn'],
    {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: 'production', OUT_DIR: outDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()))
  const code = await new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject))
  if (code !== 0) throw new Error(`The pages could not be built:\n${said}`)
}

async function compressAssets(client: string): Promise<void> {
  for await (const name of glob('assets/*.{js,css,svg}', { cwd: client })) {
    const file = join(client, name)
    const bytes = await readFile(file)
    const brotli = await promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
    })
    await writeFile(`${file}.br`, brotli)
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
}

if (import.meta.main) await oneAtATime(async () => build(hashSources()))
