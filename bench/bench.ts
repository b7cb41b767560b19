import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { PartAnswer } from './part.ts'
import { LARGE_TIMES, PARTS, type Part } from './parts.ts'
import { compareWith, performancePage, printed, unexplained } from './measure/performance.ts'
import { draw } from './measure/picture.ts'
import { recordOf, withFailure, withPart, type PartRecord, type Run } from './measure/record.ts'
import type { Result } from './measure/result.ts'

// npm run bench [part…] [word…] [-- --large] [-- --patient] [-- --compare] [-- --draw]

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const [JSON_FILE, PAGE, PICTURE] = ['json', 'md', 'svg'].map((kind) => `${ROOT}docs/performance.${kind}`) as [
  string,
  string,
  string,
]
/** On a busy machine a part may take this many times its minutes. */
const PATIENT_TIMES = 5
/** How long a part that was told to end may take before it is killed. */
const END_MS = 20_000

const FLAGS = ['--large', '--patient', '--compare', '--draw'] as const
const has = (flag: (typeof FLAGS)[number]) => process.argv.includes(flag)
const given = process.argv.slice(2).filter((word) => !FLAGS.some((flag) => flag === word))
const asked = PARTS.filter(({ name }) => given.includes(name))
// `npm run bench acts list` measures the acts that have 'list' in their name.
const words = given.filter((word) => !PARTS.some(({ name }) => name === word))
if (words.length > 0 && asked.map(({ name }) => name).join() !== 'acts') {
  const names = PARTS.map(({ name }) => name).join(', ')
  console.error(`There is no measurement '${words.join(`', '`)}', only ${names}.`)
  process.exit(1)
}
// Some acts are no whole part, and a comparison is no new record.
const writes = words.length === 0 && !has('--compare')

let isEnding = false
let end = () => {}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    end()
    process.exitCode = 1
    isEnding = true
  })

const done: { name: string; results: Result[] }[] = []
if (!has('--draw')) {
  // Builds before the parts, so that the first one does not pay for it.
  const { status } = spawnSync(process.execPath, ['src/server/process/build.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) process.exit(1)
  const parts = asked.length > 0 ? asked : PARTS
  for (const [index, part] of parts.entries()) {
    if (isEnding) break
    console.error(`Measuring ${part.name} (${index + 1} of ${parts.length}) …`)
    await measure(part)
  }
  console.log(`\n${printed(done.flatMap(({ results }) => results))}`)
}
const records = readRecords()
if (has('--compare')) console.log(`\nSince docs/performance.json was written:\n${compareWith(records, done)}`)
if (writes) {
  write(records)
  const silent = unexplained(PARTS, records, readFileSync(PAGE, 'utf8'))
  if (silent.length > 0)
    console.log(`\nThese miss their aim, and docs/performance.md says nothing of it:\n${silent.join('\n')}`)
}

async function measure(part: Part): Promise<void> {
  const [at, before, began] = [new Date().toISOString(), loadavg()[0]!, performance.now()]
  const told = await runPart(part)
  if (isEnding) return
  const seconds = Math.round((performance.now() - began) / 100) / 10
  if ('why' in told) {
    console.error(`Not measured: ${part.name}: ${told.why}`)
    process.exitCode = 1
  } else {
    done.push({ name: part.name, results: told.results })
    console.log(printed(told.results))
  }
  if (!writes) return
  const known = readRecords()
  const old = known.find(({ name }) => name === part.name)
  const record =
    'why' in told
      ? withFailure(old, { name: part.name, at, why: told.why })
      : recordOf(part.name, runOf(at, seconds, before), told.results)
  const order = PARTS.map(({ name }) => name)
  write(withPart(known, record, order))
}

/** Measures a part in a process of its own, and ends it when its time is over. */
function runPart({ name, minutes }: Part): Promise<PartAnswer> {
  const most = minutes * (has('--patient') ? PATIENT_TIMES : 1) * (has('--large') ? LARGE_TIMES : 1)
  const child = spawn(
    process.execPath,
    ['bench/part.ts', name, ...words, ...(has('--large') ? ['--large'] : [])],
    { cwd: ROOT, stdio: ['ignore', 2, 2, 'ipc'], detached: true },
  )
  return new Promise((resolve) => {
    let told: PartAnswer = { why: 'the measurement ended without an answer' }
    const signal = (which: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, which)
      } catch {
        // All of its processes have ended.
      }
    }
    let killing: NodeJS.Timeout | undefined
    end = () => {
      signal('SIGTERM')
      killing = setTimeout(() => signal('SIGKILL'), END_MS)
    }
    const waiting = setTimeout(() => {
      told = { why: `it took longer than ${60 * most} seconds` }
      end()
    }, most * 60_000)
    child.on('message', (message: PartAnswer) => (told = message))
    child.once('error', (error) => (told = { why: error.message }))
    child.once('close', () => {
      clearTimeout(waiting)
      clearTimeout(killing)
      signal('SIGTERM') // whatever it has left behind
      end = () => {}
      resolve(told)
    })
  })
}

function runOf(at: string, seconds: number, begin: number): Run {
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string }
  return {
    at,
    version,
    commit: commitOf(),
    seconds,
    machine: {
      cores: availableParallelism(),
      architecture: arch(),
      processor: cpus()[0]?.model.trim() || 'unknown',
      memoryGb: Math.round(totalmem() / 1e9),
      system: `${type()} ${release().split('-')[0]}`,
      node: process.versions.node,
    },
    load: { begin: round(begin), end: round(loadavg()[0]!) },
  }
}

function round(load: number): number {
  return Math.round(load * 100) / 100
}

/** The commit that was measured; '+' if the code had changes on top of it. */
function commitOf(): string {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout?.trim() ?? ''
  const changed = git('status', '--porcelain', '--', 'src', 'bench', 'db', 'package-lock.json')
  return `${git('rev-parse', '--short=8', 'HEAD') || 'unknown'}${changed ? '+' : ''}`
}

function readRecords(): PartRecord[] {
  if (!existsSync(JSON_FILE)) return []
  return (JSON.parse(readFileSync(JSON_FILE, 'utf8')) as { parts: PartRecord[] }).parts
}

/** Writes all three, so that they always agree. */
function write(known: PartRecord[]): void {
  const parts = known.filter(({ name }) => PARTS.some((part) => part.name === name))
  replace(JSON_FILE, `${JSON.stringify({ parts }, null, 2)}\n`)
  replace(PICTURE, draw(PARTS, parts))
  replace(PAGE, performancePage(PARTS, parts, readFileSync(PAGE, 'utf8')))
}

function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
