import type { Result } from './result.ts'

// The table of docs/performance.md: written by `npm run bench acts`, compared with by `npm run bench acts -- --compare`.

type Line = {
  what: string
  node: number
  postgres: number
  sum: number
  bare: number
  ratio: number
  aim: string
}

const HEAD = `# What the daily acts cost

Milliseconds of processor for each act: of Node with its helpers, of PostgreSQL, and of both together; then the least that
the act could cost (a bare Fastify, @fastify/static, one committed change, bytes to the disk), measured in the same run; and
how many times that it costs. A busy machine makes all of them dearer, so compare the ratios first. \`npm run bench acts\`
writes this page, \`npm run bench acts -- --compare\` shows what has changed since.

| act | Node | PostgreSQL | both | bare | times bare | aim |
|---|---:|---:|---:|---:|---:|---|
`

/**
 * Returns the page for the results that have parts. Acts that were not measured keep their line of `before`, and so does all
 * that is written below its table.
 */
export function performancePage(results: Result[], before: string): string {
  const known = new Map(readLines(before).map((line) => [line.what, line]))
  for (const line of results.flatMap(lineOf)) known.set(line.what, line)
  const below = before.indexOf('\n## ')
  return `${HEAD}${[...known.values()].map(rowOf).join('\n')}\n${below < 0 ? '' : before.slice(below)}`
}

/** Returns a table of the acts that were measured now and before: both costs, and the change in percent. */
export function compareWith(before: string, results: Result[]): string {
  const known = new Map(readLines(before).map((line) => [line.what, line]))
  const rows = results.flatMap(lineOf).map((now) => {
    const then = known.get(now.what)
    if (!then) return [now.what, `${digits(now.sum)} ms`, 'new', '', '']
    const change = (name: 'node' | 'postgres' | 'sum' | 'ratio') => percent(then[name], now[name])
    return [
      now.what,
      `${digits(then.sum)} → ${digits(now.sum)} ms (${change('sum')})`,
      `Node ${change('node')}`,
      `PostgreSQL ${change('postgres')}`,
      `times bare ${digits(then.ratio)} → ${digits(now.ratio)} (${change('ratio')})`,
    ]
  })
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function lineOf({ what, parts, aim }: Result): Line[] {
  if (!parts) return []
  const { node, postgres, sum, bare } = parts
  return [{ what, node, postgres, sum, bare, ratio: sum / bare, aim }]
}

function rowOf({ what, node, postgres, sum, bare, ratio, aim }: Line): string {
  return `| ${[what, ...[node, postgres, sum, bare, ratio].map(digits), aim].join(' | ')} |`
}

function readLines(page: string): Line[] {
  const [table] = page.split('\n## ')
  return table!.split('\n').flatMap((row) => {
    const cells = row.split('|').map((cell) => cell.trim())
    const [node, postgres, sum, bare, ratio] = cells.slice(2, 7).map(Number)
    if (cells.length !== 9 || [node, postgres, sum, bare, ratio].some((each) => !Number.isFinite(each)))
      return []
    return [
      {
        what: cells[1]!,
        node: node!,
        postgres: postgres!,
        sum: sum!,
        bare: bare!,
        ratio: ratio!,
        aim: cells[7]!,
      },
    ]
  })
}

const digits = (number: number) => number.toFixed(number < 10 ? 2 : number < 100 ? 1 : 0)

function percent(then: number, now: number): string {
  if (then === 0) return now === 0 ? '±0 %' : 'new'
  const change = Math.round((now / then - 1) * 100)
  return `${change > 0 ? '+' : change < 0 ? '−' : '±'}${Math.abs(change)} %`
}
