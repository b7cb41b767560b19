import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** PSS divides a memory page among the processes that use it, RSS counts it for each of them. */
export type MemoryKind = 'PSS' | 'RSS'

/** Returns the memory of processes together, in bytes; an ended process counts as 0. PSS exists on Linux only. */
export function memoryOf(pids: number[], kind: MemoryKind): number {
  return pids.map(kind === 'PSS' ? pss : rss).reduce((sum, bytes) => sum + bytes, 0)
}

/** Returns the children of a process, and their children. */
export function descendants(pid: number): number[] {
  const { stdout, error } = spawnSync('ps', ['-ax', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  if (error) throw error
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const below = (parent: number): number[] =>
    pairs.filter((pair) => pair[1] === parent).flatMap(([child]) => [child!].concat(below(child!)))
  return below(pid)
}

function pss(pid: number): number {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
    return Number(kilobytes ?? 0) * 1024
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0
    throw error
  }
}

function rss(pid: number): number {
  const { stdout, error } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  if (error) throw error
  return Number(stdout) * 1024
}
