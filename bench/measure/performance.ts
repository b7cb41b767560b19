import type { Entry, PartRecord, Run } from './record.ts'
import { aimText, figure, limitText, measuredText, mostOf, timesOf, type Result } from './result.ts'

// The document docs/performance.md: tables made from docs/performance.json between marks, and words written by hand around them.

type Named = { name: string; title: string }

const open = (name: string) => `<!-- made by npm run bench: ${name} -->`
const CLOSE = '<!-- end of what is made -->'

/** Returns the page with its tables rewritten. A part that is new to the page is added at its end. */
export function performancePage(parts: Named[], records: PartRecord[], before: string): string {
  let page = withBlock(before, 'summary', summaryOf(parts, records))
  for (const { name, title } of parts) {
    const record = records.find((each) => each.name === name)
    if (!page.includes(open(name))) page = `${page.trimEnd()}\n\n## ${title}\n\n${open(name)}\n${CLOSE}\n`
    page = withBlock(page, name, record ? blockOf(record) : 'Not measured yet.')
  }
  return page
}

function withBlock(page: string, name: string, text: string): string {
  const begin = page.indexOf(open(name))
  const end = page.indexOf(CLOSE, begin)
  if (begin < 0 || end < 0) throw new Error(`The document has no place for '${name}'.`)
  return `${page.slice(0, begin)}${open(name)}\n${text}\n${page.slice(end)}`
}

function summaryOf(parts: Named[], records: PartRecord[]): string {
  const all = records.flatMap(({ results }) => results)
  const count = (met: boolean | null) => all.filter((entry) => entry.met === met).length
  const seconds = records.reduce((sum, { run }) => sum + (run?.seconds ?? 0), 0)
  const machines = new Set(records.flatMap(({ run }) => (run ? [machineText(run)] : [])))
  const lines = [
    `${all.length} measurements: ${count(true)} meet their aims, ${count(false)} miss them, ${count(null)} are only told.`,
    `Measured on ${[...machines].join('; and on ')}, in ${Math.ceil(seconds / 60)} minutes.`,
    '',
    `<img src="performance.svg" width="100%" alt="${altOf(all)}">`,
  ]
  const missing = parts.flatMap(({ name, title }) => {
    const missed =
      records.find((each) => each.name === name)?.results.filter(({ met }) => met === false) ?? []
    return missed.length > 0 ? [`- ${title}: ${missed.map(({ what }) => what).join('; ')}`] : []
  })
  if (missing.length > 0) lines.push('', 'What misses its aim:', '', ...missing)
  const failed = records.flatMap(({ name, notMeasured }) =>
    notMeasured ? [`- \`${name}\` on ${dayOf(notMeasured.at)}: ${notMeasured.why}`] : [],
  )
  if (failed.length > 0) lines.push('', 'What could not be measured:', '', ...failed)
  return lines.join('\n')
}

const altOf = (all: Entry[]) =>
  `A bar for each measurement, as many times its limit, with its aim marked; ${all.filter(({ met }) => met === false).length} miss it. The tables say the same.`

function blockOf({ run, results, notMeasured }: PartRecord): string {
  const lines: string[] = []
  if (notMeasured) lines.push(`Not measured on ${dayOf(notMeasured.at)}: ${notMeasured.why}`, '')
  if (run) lines.push(runText(run), '', ...tableOf(results))
  return lines.join('\n').trimEnd()
}

function tableOf(results: Entry[]): string[] {
  return [
    '| what | measured | held against | times | aim | met |',
    '|---|---|---|---:|---|---|',
    ...results.map((entry) => {
      const times = timesOf(entry)
      const cells = [
        entry.what,
        measuredText(entry),
        limitText(entry),
        times === null ? '' : figure(times),
        wholeAim(entry),
        metText(entry.met),
      ]
      return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
    }),
  ]
}

const metText = (met: boolean | null) => (met === null ? '' : met ? 'yes' : '**no**')

/** The aim as it was set, and how many times the limit that is: '≤ 6 ms (9.2 ×)'. */
export function wholeAim(result: Result): string {
  const most = mostOf(result)
  const isFigure = result.limit !== undefined && result.aim?.value !== undefined
  return `${aimText(result)}${isFigure && most !== null ? ` (${figure(most)} ×)` : ''}`
}

function runText({ at, version, commit, seconds, machine: { cores }, load }: Run): string {
  const isBusy = Math.max(load.begin, load.end) > cores
  return `${dayOf(at)}, version ${version} (${commit}), in ${Math.round(seconds)} s; load ${load.begin.toFixed(1)} before and ${load.end.toFixed(1)} after, on ${cores} cores${isBusy ? ': a busy machine' : ''}.`
}

function machineText({ machine }: Run): string {
  const { cores, processor, architecture, memoryGb, system, node } = machine
  return `${cores} cores (${processor}, ${architecture}), ${memoryGb} GB of memory, ${system}, Node ${node}`
}

/** '2026-11-17T20:…' becomes '17 November 2026'. */
function dayOf(at: string): string {
  const form = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Date(at).toLocaleDateString('en-GB', form)
}

/** Returns what misses its aim without a word about it in its part of the page: its name in bold. */
export function unexplained(parts: Named[], records: PartRecord[], page: string): string[] {
  return parts.flatMap(({ name }) => {
    const words = wordsOf(page, name)
    const missed =
      records.find((each) => each.name === name)?.results.filter(({ met }) => met === false) ?? []
    return missed.filter(({ what }) => !words.includes(`**${what}**`)).map(({ what }) => `${name}: ${what}`)
  })
}

/** Returns the handwritten text about a part: from the end of its table to the next heading. */
function wordsOf(page: string, name: string): string {
  const begin = page.indexOf(CLOSE, page.indexOf(open(name)))
  const rest = begin < 0 ? '' : page.slice(begin)
  return rest.split('\n## ')[0]!
}

/** Returns a table of this run and the last: both figures, both ratios, and the change in percent. */
export function compareWith(before: PartRecord[], now: { name: string; results: Result[] }[]): string {
  const rows = now.flatMap(({ name, results }) =>
    results.map((result) => {
      const then = before.find((each) => each.name === name)?.results.find(({ what }) => what === result.what)
      const { what, value, unit } = result
      if (!then) return [what, `${figure(value)} ${unit}`.trim(), 'new']
      const [was, is] = [timesOf(then), timesOf(result)]
      return [
        what,
        `${figure(then.value)} → ${figure(value)} ${unit} (${percent(then.value, value)})`,
        was === null || is === null ? '' : `times ${figure(was)} → ${figure(is)} (${percent(was, is)})`,
      ]
    }),
  )
  return aligned(rows)
}

/** The table that the command prints. */
export function printed(results: Result[]): string {
  return aligned([
    ['what', 'measured', 'held against', 'times', 'aim', 'met'],
    ...results.map((result) => {
      const [times, most] = [timesOf(result), mostOf(result)]
      const isMissed = times !== null && most !== null && times > most
      return [
        result.what,
        measuredText(result),
        limitText(result),
        times === null ? '' : figure(times),
        wholeAim(result),
        most === null ? '' : isMissed ? 'NO' : 'yes',
      ]
    }),
  ])
}

function aligned(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lineOf = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')
  return rows.map((row) => lineOf(row).trimEnd()).join('\n')
}

function percent(then: number, now: number): string {
  if (then === 0) return now === 0 ? '±0 %' : 'new'
  const change = Math.round((now / then - 1) * 100)
  return `${change > 0 ? '+' : change < 0 ? '−' : '±'}${Math.abs(change)} %`
}
