import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Ends processes that an earlier Ringbind or PostgreSQL, killed with -9, left behind in the cluster, and deletes its
 * postmaster.pid: PostgreSQL would take any living process with that number for a running server. The caller must
 * hold the data directory's lock.
 */
export async function endLeftovers(cluster: string, say: (message: string) => void): Promise<void> {
  for (const [signal, patience] of STEPS) {
    const pids = serverProcesses(cluster)
    if (pids.length === 0) break
    const main = Number(postmasterFile(cluster)[0])
    if (!pids.includes(main) && signal === 'SIGINT') continue // orphaned backends have nothing to finish
    say(`Ending PostgreSQL (${pids.join(', ')}), left behind by an earlier run.`)
    for (const pid of pids.includes(main) ? [main] : pids) send(pid, signal)
    const until = Date.now() + patience
    while (serverProcesses(cluster).length > 0 && Date.now() < until) await sleep(20)
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

// Fast shutdown, then immediate shutdown (no commit is lost: the next start recovers), then kill.
const STEPS = [
  ['SIGINT', 3_000],
  ['SIGQUIT', 3_000],
  ['SIGKILL', 5_000],
] as const

/** Returns the lines of postmaster.pid: the server's process id comes first, its state last. */
export function postmasterFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

/**
 * Returns the ids of the server's processes. On Linux it finds them by their working directory, so that orphaned
 * backends are found too. Elsewhere, or if /proc is closed to us, it finds only the main process.
 */
export function serverProcesses(cluster: string): number[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid) && (worksIn(pid, cluster) || isMainServer(pid, cluster)))
      .map(Number)
  }
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((line) => line.includes(`/postgres -D ${cluster} `))
    .map((line) => parseInt(line))
}

function worksIn(pid: string, cluster: string): boolean {
  try {
    const program = readlinkSync(`/proc/${pid}/exe`)
    return readlinkSync(`/proc/${pid}/cwd`) === cluster && /\/postgres( \(deleted\))?$/.test(program)
  } catch {
    return false // gone, a zombie, or owned by another user
  }
}

function isMainServer(pid: string, cluster: string): boolean {
  try {
    const [program, flag, directory] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return program!.endsWith('/postgres') && flag === '-D' && directory === cluster
  } catch {
    return false
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // gone already
  }
}
