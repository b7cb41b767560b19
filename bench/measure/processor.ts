import { readFileSync } from 'node:fs'
import { descendants } from './memory.ts'

/** Processor time in milliseconds: of Node, and of PostgreSQL. */
export type Cost = { node: number; postgres: number }

/** Linux counts in hundredths of a second. */
const TICK_MS = 10

/** Returns the processor time that servers and all their processes have used so far. Works on Linux only. */
function costOf(pids: number[]): Cost {
  const cost: Cost = { node: 0, postgres: 0 }
  for (const pid of pids.flatMap((each) => [each, ...descendants(each)])) {
    const used = read(pid)
    if (used) cost[used.name === 'postgres' ? 'postgres' : 'node'] += used.ticks * TICK_MS
  }
  return cost
}

/** Returns the processor time that each of `times` pieces of work costs some servers. */
export async function measureCost(
  pids: number[],
  times: number,
  work: () => Promise<unknown>,
): Promise<Cost> {
  const before = costOf(pids)
  await work()
  const after = costOf(pids)
  return { node: (after.node - before.node) / times, postgres: (after.postgres - before.postgres) / times }
}

/** A process's own time, and that of its children that have ended. */
function read(pid: number): { name: string; ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text.slice(end + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0)
    return { name: text.slice(text.indexOf('(') + 1, end), ticks }
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
