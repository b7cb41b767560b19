import { cpus, totalmem } from 'node:os'

/** Resources of Ringbind's processes at rest. */
export type Use = { descriptors: number; megabytes: number }

export type Row = {
  name: string
  says: string
  on: string
  /** From the end of the fault to the first good page and upload; null if there was none. */
  backMs: number | null
  calls: number
  failed: number
  longestMs: number
  /** How calls failed, with how often. */
  reasons: Record<string, number>
  /** Acknowledged data that is missing. */
  lost: string[]
  /** All other faults. */
  faults: string[]
  use: Use
}

export type NotRun = { name: string; says: string; on: string; why: string }

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

function verdictOf({ lost, faults }: Row): string {
  if (lost.length > 0) return '**lost**'
  return faults.length > 0 ? '**wrong**' : 'good'
}

const HEAD = [
  'fault',
  'on what',
  'back after',
  'failed meanwhile',
  'longest wait',
  'lost',
  'at rest',
  'verdict',
]

function cellsOf(row: Row): string[] {
  const { says, on, backMs, failed, calls, longestMs, lost, use } = row
  return [
    says,
    on,
    backMs === null ? 'not' : seconds(backMs),
    `${failed} of ${calls}`,
    seconds(longestMs),
    String(lost.length),
    `${use.megabytes} MB, ${use.descriptors} descriptors`,
    verdictOf(row),
  ]
}

/** Puts newer rows into an older table, and orders all by what happened to what. Rows that nobody knows any more are left out. */
export function mergeTables(older: string, newer: string, order: { says: string; on: string }[]): string {
  const rowsIn = (table: string) => table.split('\n').filter((each) => each.startsWith('| '))
  const [head, rule] = rowsIn(newer)
  const keyOf = (row: string) => row.split(' | ', 2).join(' | ')
  const known = new Map([...rowsIn(older), ...rowsIn(newer)].map((row) => [keyOf(row), row]))
  const rows = order.map(({ says, on }) => known.get(`| ${says} | ${on}`)).filter((row) => row !== undefined)
  return [head, rule, ...rows].join('\n')
}

const line = (cells: string[]) => `| ${cells.join(' | ')} |`

/** Writes the rows as a table of Markdown. */
export function tableOf(rows: Row[], notRun: NotRun[]): string {
  return [
    line(HEAD),
    line(HEAD.map(() => '---')),
    ...rows.map((row) => line(cellsOf(row))),
    ...notRun.map(({ says, on, why }) => line([says, on, '', '', '', '', '', `not run: ${why}`])),
  ].join('\n')
}

/** Returns all faults, a line each. */
export function faultsOf(rows: Row[]): string[] {
  return rows.flatMap(({ name, on, lost, faults }) => [
    ...lost.map((each) => `${name} (${on}): LOST ${each}`),
    ...faults.map((each) => `${name} (${on}): ${each}`),
  ])
}

export function machine(): string {
  const [first] = cpus()
  return `${cpus().length} × ${first?.model.trim() ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}, Node ${process.version}`
}
