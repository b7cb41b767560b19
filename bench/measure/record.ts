import { isMet, mostOf, timesOf, type Result } from './result.ts'

// The contents of docs/performance.json, from which the document and the picture are made.

export type Machine = {
  cores: number
  architecture: string
  processor: string
  memoryGb: number
  system: string
  node: string
}

/** How a part was measured. */
export type Run = {
  at: string
  version: string
  commit: string
  seconds: number
  machine: Machine
  /** How many processes wanted to run, on average over a minute, before the part and at its end. */
  load: { begin: number; end: number }
}

/** A result with what follows from it, for readers of the JSON. */
export type Entry = Result & { times: number | null; most: number | null; met: boolean | null }

export type PartRecord = {
  name: string
  run: Run | null
  results: Entry[]
  /** The last try failed. Results of an earlier run stay. */
  notMeasured?: { at: string; why: string }
}

export function recordOf(name: string, run: Run, results: Result[]): PartRecord {
  const names = results.map(({ what }) => what)
  const twice = names.find((what, index) => names.indexOf(what) !== index)
  if (twice !== undefined) throw new Error(`Two measurements of '${name}' are called '${twice}'.`)
  return { name, run, results: results.map(entryOf) }
}

/** Notes that a part could not be measured. Earlier results stay. */
export function withFailure(
  before: PartRecord | undefined,
  { name, at, why }: { name: string; at: string; why: string },
): PartRecord {
  return {
    name,
    run: before?.run ?? null,
    results: before?.results ?? [],
    notMeasured: { at, why: shortened(why) },
  }
}

/** Puts a part's record in its place among the others. */
export function withPart(records: PartRecord[], record: PartRecord, order: string[]): PartRecord[] {
  return [...records.filter(({ name }) => name !== record.name), record].toSorted(
    (a, b) => order.indexOf(a.name) - order.indexOf(b.name),
  )
}

export function entryOf(result: Result): Entry {
  const rounded = {
    ...result,
    value: round(result.value),
    ...(result.limit && { limit: { ...result.limit, value: round(result.limit.value) } }),
    ...(result.aim && { aim: roundAll(result.aim) }),
    ...(result.parts && { parts: roundAll(result.parts) }),
  }
  const [times, most] = [timesOf(rounded), mostOf(rounded)]
  // JSON has no infinity.
  const known = (number: number | null) => (number === null || number === Infinity ? null : round(number))
  return { ...rounded, times: known(times), most: known(most), met: isMet(rounded) }
}

/** Four digits are more than the measurements are good for. */
function round(number: number): number {
  return Number.isInteger(number) ? number : Number(number.toPrecision(4))
}

function roundAll<Numbers extends object>(numbers: Numbers): Numbers {
  const entries = Object.entries(numbers).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'number' ? round(value) : value,
  ])
  return { ...numbers, ...Object.fromEntries(entries) }
}

/** The first line of a message, without the paths of this machine. */
function shortened(why: string): string {
  const line = why.split('\n')[0]!.replace(/(?:\/[\w.@-]+){2,}/g, (path) => `…/${path.split('/').at(-1)!}`)
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}
