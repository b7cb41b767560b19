import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

type Limits = {
  /** How long it may take, on the clock and on the processor. */
  seconds: number
  /** How much memory it may write to. */
  megabytes: number
  /** How much it may answer. */
  mostBytes: number
  signal?: AbortSignal | undefined
}

/** The program failed, took too long, or answered too much: its input is at fault, or the program is missing. */
export class ProgramFailed extends Error {}

/** The input broke off: not the program's fault. */
export class InputFailed extends Error {}

// The shell sets the limits and then becomes the program. It writes to no file and leaves no core behind. Where the
// system does not know a limit, the others hold.
const LIMITED =
  'ulimit -c 0 2>/dev/null; ulimit -f 0 2>/dev/null; ulimit -t "$1" 2>/dev/null; ulimit -d "$2" 2>/dev/null; shift 2; exec "$@"'

/**
 * Runs a program on a stranger's bytes and returns what it writes. It gets nothing of our environment, little memory and
 * time, and only the processor time that nobody else wants.
 */
export async function runLimited(
  [program, ...args]: [string, ...string[]],
  input: Readable,
  { seconds, megabytes, mostBytes, signal }: Limits,
): Promise<Buffer> {
  const limits = [String(seconds), String(megabytes * 1024)]
  const child = spawn('/bin/sh', ['-c', LIMITED, 'sh', ...limits, program, ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH, MALLOC_ARENA_MAX: '1', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const kill = () => void child.kill('SIGKILL')
  const timer = setTimeout(kill, seconds * 1000)
  signal?.addEventListener('abort', kill)
  try {
    if (child.pid !== undefined) lowerPriority(child.pid)
    const ended = new Promise<number | null>((resolve, reject) =>
      child.once('close', resolve).once('error', reject),
    )
    const written = readUpTo(child.stdout, mostBytes, kill)
    let broken: unknown
    input.once('error', (error) => {
      broken = error
      kill()
    })
    // A program may answer without reading everything, and then its end of the pipe is closed.
    await pipeline(input, child.stdin).catch(() => undefined)
    const [status, bytes] = await Promise.all([ended, written])
    signal?.throwIfAborted()
    if (broken && !isClosedPipe(broken)) throw new InputFailed('The input broke off.', { cause: broken })
    if (status !== 0 || bytes === null)
      throw new ProgramFailed(`${program} ended with ${status ?? 'a signal'}.`)
    return bytes
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

/** Returns null if it is more than that. */
async function readUpTo(stream: Readable, most: number, stop: () => void): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= most) chunks.push(chunk)
    else stop()
  }
  return length <= most ? Buffer.concat(chunks) : null
}
