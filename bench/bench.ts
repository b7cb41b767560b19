import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import * as acts from './acts.ts'
import * as copies from './copies.ts'
import * as downloads from './downloads.ts'
import * as drop from './drop.ts'
import * as moveOut from './export.ts'
import * as files from './files.ts'
import * as importing from './import.ts'
import * as lists from './lists.ts'
import * as live from './live.ts'
import * as log from './log.ts'
import * as many from './many.ts'
import * as news from './news.ts'
import * as phone from './phone.ts'
import * as pile from './pile.ts'
import * as pilePage from './pile-page.ts'
import * as reading from './reading.ts'
import * as releases from './releases.ts'
import * as report from './report.ts'
import { compareWith, performancePage } from './performance.ts'
import type { Result } from './result.ts'
import * as s3 from './s3.ts'
import * as search from './search.ts'
import * as signIns from './sign-ins.ts'
import * as start from './start.ts'
import * as uploads from './uploads.ts'
import * as workers from './workers.ts'
import * as year from './year.ts'
import * as zips from './zips.ts'

const ALL: { name: string; measure: (words: string[]) => Promise<Result[]> }[] = [
  { name: 'acts', ...acts },
  { name: 'start', ...start },
  { name: 'lists', ...lists },
  { name: 'live', ...live },
  { name: 'log', ...log },
  { name: 'news', ...news },
  { name: 'downloads', ...downloads },
  { name: 'files', ...files },
  { name: 'import', ...importing },
  { name: 'many', ...many },
  { name: 'uploads', ...uploads },
  { name: 'drop', ...drop },
  { name: 'phone', ...phone },
  { name: 'pile', ...pile },
  { name: 'pile-page', ...pilePage },
  { name: 'reading', ...reading },
  { name: 'releases', ...releases },
  { name: 'report', ...report },
  { name: 's3', ...s3 },
  { name: 'search', ...search },
  { name: 'sign-in', ...signIns },
  { name: 'copies', ...copies },
  { name: 'export', ...moveOut },
  { name: 'workers', ...workers },
  { name: 'year', ...year },
  { name: 'zips', ...zips },
]

const PAGE = new URL('../docs/performance.md', import.meta.url)
const compares = process.argv.includes('--compare')
const given = process.argv.slice(2).filter((word) => word !== '--compare')
const asked = given.filter((name) => ALL.some((one) => one.name === name))
// Many files at once are also those of an archive, and those that change while many people look at them.
const TOGETHER: Record<string, string[]> = { many: ['many', 'zips', 'live'], pile: ['pile', 'pile-page'] }
const wanted = asked.flatMap((name) => TOGETHER[name] ?? [name])
// `npm run bench acts list` measures the acts that have 'list' in their name.
const words = given.filter((name) => !wanted.includes(name))
if (words.length > 0 && wanted.join() !== 'acts') {
  console.error(`There is no measurement '${words.join(`', '`)}', only ${namesOf(ALL)}.`)
  process.exit(1)
}

// Calls exit, whose handlers end every process that still runs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

const results: Result[] = []
for (const { name, measure } of ALL.filter((one) => wanted.length === 0 || wanted.includes(one.name))) {
  console.error(`Measuring ${name} …`)
  try {
    results.push(...(await measure(words)))
  } catch (error) {
    console.error(`The measurement '${name}' failed:`, error)
    process.exitCode = 1
  }
}
console.log(table(results))
if (results.some(({ parts }) => parts)) {
  const before = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
  if (compares) console.log(`\nSince docs/performance.md was written:\n${compareWith(before, results)}`)
  else writeFileSync(PAGE, performancePage(results, before))
}

function namesOf(modules: { name: string }[]): string {
  return modules.map(({ name }) => name).join(', ')
}

function table(lines: Result[]): string {
  const rows = [
    ['what', 'measured', 'compared with', 'ratio', 'aim', 'met'],
    ...lines.map(({ what, measured, comparedWith = '', ratio, aim, met }) => [
      what,
      measured,
      comparedWith,
      ratio?.toFixed(2) ?? '',
      aim,
      met ? 'yes' : 'NO',
    ]),
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lineOf = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')
  return rows.map((row) => lineOf(row).trimEnd()).join('\n')
}
