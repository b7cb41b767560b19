import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

type Limits = {
  /** How long it may take, on the processor. */
  seconds: number
  /** The limit on the clock, if it is higher: on a busy computer the program hardly gets a turn. */
  clockSeconds?: number
  /** How much memory it may write to. */
  megabytes: number
  /** How much it may answer. */
  mostBytes: number
  /** Whether the first part of a longer answer will do. */
  isCut?: boolean
  /** Somebody waits for the answer, so it gets a normal share of the processor. */
  isUrgent?: boolean
  /** Reads the answer as it comes, instead of keeping it; then there is no limit to it. */
  take?: (answer: Readable) => Promise<void>
  signal?: AbortSignal | undefined
}

/** The program failed, took too long, or answered too much: its input is at fault, or the program is missing. */
export class ProgramFailed extends Error {
  /** Its exit status; null if it was killed. */
  status: number | null
  /**
   * The resource it ran out of; null if it ended for another reason. The clock and the machine's memory are not its own
   * fault.
   */
  outOf: OutOf | null
  /** The beginning of its complaint. */
  said: string

  constructor(program: string, { status, outOf, said }: Ending) {
    super(`${program} ended with ${status ?? 'a signal'}.`)
    this.status = status
    this.outOf = outOf
    this.said = said
  }
}

type OutOf = 'processor' | 'clock' | 'machine'
type Ending = { status: number | null; outOf: OutOf | null; said: string }

/** The input broke off: not the program's fault. */
export class InputFailed extends Error {}

// The shell sets the limits and then becomes the program. It leaves no core dump and cannot write files: a write fails
// without ending it, since a program that finds new fonts wants to cache them. Where the system does not know a limit,
// the others hold. The soft limit of processor time ends it with SIGXCPU; at the hard one it is killed, as when the
// machine has no memory left.
const LIMITED =
  'trap "" XFSZ 2>/dev/null; ulimit -c 0 2>/dev/null; ulimit -f 0 2>/dev/null; ulimit -S -t "$1" 2>/dev/null; ulimit -H -t "$(($1 + 2))" 2>/dev/null; ulimit -d "$2" 2>/dev/null; shift 2; exec "$@"'

/**
 * Runs a program on a stranger's bytes and returns its output. It gets nothing of our environment, little memory and
 * time, and only spare processor time, unless somebody waits for it.
 */
export async function runLimited(
  [program, ...args]: [string, ...string[]],
  input: Readable,
  { seconds, clockSeconds = seconds, megabytes, mostBytes, isCut, isUrgent, take, signal }: Limits,
): Promise<Buffer> {
  const limits = [String(Math.ceil(seconds)), String(megabytes * 1024)] // the shell knows whole numbers only
  const child = spawn('/bin/sh', ['-c', LIMITED, 'sh', ...limits, program, ...args], {
    cwd: '/',
    // one thread: others need the cores
    env: { PATH: process.env.PATH, MALLOC_ARENA_MAX: '1', OMP_THREAD_LIMIT: '1', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let isKilled = false
  let outOf: OutOf | null = null
  const kill = () => {
    isKilled = true
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => {
    outOf = 'clock'
    kill()
  }, clockSeconds * 1000)
  signal?.addEventListener('abort', kill)
  try {
    if (child.pid !== undefined && !isUrgent) lowerPriority(child.pid)
    const ended = new Promise<number | null>((resolve, reject) =>
      child
        .once('close', (status, ending) => {
          if (ending === 'SIGXCPU') outOf = 'processor'
          else if (ending === 'SIGKILL' && !isKilled) outOf = 'machine'
          resolve(status)
        })
        .once('error', reject),
    )
    const written = take ? taken(take, child.stdout, kill) : readUpTo(child.stdout, mostBytes, kill)
    written.catch(() => undefined) // reported below, when the program has ended
    const complaint = readUpTo(child.stderr, MOST_COMPLAINT)
    let broken: unknown
    input.once('error', (error) => {
      broken = error
      kill()
    })
    // A program may answer without reading everything, and then its end of the pipe is closed.
    await pipeline(input, child.stdin).catch(() => undefined)
    const [status, answer, said] = await Promise.all([ended, written, complaint])
    signal?.throwIfAborted()
    if (broken && !isClosedPipe(broken)) throw new InputFailed('The input broke off.', { cause: broken })
    if (isCut && answer.isCut) return answer.bytes
    if (status !== 0 || answer.isCut)
      throw new ProgramFailed(program, { status, outOf, said: said.bytes.toString('latin1') })
    return answer.bytes
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', kill)
    input.destroy()
  }
}

/** `pipeline` ends the input with this when the program stops reading. */
const isClosedPipe = (error: unknown) =>
  ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // it has ended already
  }
}

/** Hands the answer on as it comes. If that fails, the program is ended. */
async function taken(
  take: (answer: Readable) => Promise<void>,
  answer: Readable,
  onFailure: () => void,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  try {
    await take(answer)
  } catch (error) {
    onFailure()
    throw error
  }
  return { bytes: Buffer.alloc(0), isCut: false }
}

const MOST_COMPLAINT = 2000

/** Reads to the end, and keeps the beginning. */
async function readUpTo(
  stream: Readable,
  most: number,
  onMore?: () => void,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (length < most) chunks.push(chunk.subarray(0, most - length))
    length += chunk.length
    if (length > most) onMore?.()
  }
  return { bytes: Buffer.concat(chunks), isCut: length > most }
}
