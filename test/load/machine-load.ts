import { readdirSync, readFileSync } from 'node:fs'

type Ticks = { busy: number; own: number; at: number }

/** Fields of /proc/…/stat after the name: the parent, and the time of the process and of its ended children. */
const STAT = { parent: 1, times: [11, 12, 13, 14] }
const TICKS_PER_SECOND = 100

function statOf(pid: string): { parent: string; ticks: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return {
      parent: fields[STAT.parent]!,
      ticks: STAT.times.reduce((sum, at) => sum + Number(fields[at]), 0),
    }
  } catch {
    return null // it has ended
  }
}

/** The time of a process and all below it. */
function timeOfTree(roots: string[]): number {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        const stat = statOf(pid)
        return stat ? [[pid, stat] as const] : []
      }),
  )
  const isOurs = (pid: string): boolean => {
    if (roots.includes(pid)) return true
    const parent = all.get(pid)?.parent
    return parent !== undefined && parent !== '0' && isOurs(parent)
  }
  return [...all].reduce((sum, [pid, { ticks }]) => sum + (isOurs(pid) ? ticks : 0), 0)
}

function now(roots: string[]): Ticks {
  const line = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'latin1'))![1]!
  const [user, nice, system, , , irq, soft, steal] = line.split(' ').map(Number)
  const busy = user! + nice! + system! + irq! + soft! + steal!
  return { busy, own: timeOfTree(roots), at: performance.now() }
}

/**
 * Measures how many cores other programs than ours use from now on, by processor time: 1.3 is one core and a third. `roots`
 * are the processes that are ours with all below them. Returns a function that tells; null where the system does not tell.
 */
export function watchMachine(roots: string[]): () => number | null {
  let from: Ticks
  try {
    from = now(roots)
  } catch {
    return () => null
  }
  return () => {
    const to = now(roots)
    const ticks = to.busy - from.busy - Math.max(0, to.own - from.own)
    return Math.max(0, ticks / TICKS_PER_SECOND / ((to.at - from.at) / 1000))
  }
}
