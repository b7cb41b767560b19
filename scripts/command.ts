import { readConfig, type Config } from '../src/config.ts'
import { whenOrphaned } from '../src/server/process/when-orphaned.ts'

/** The tools for a command that works on the office's data. */
export type Tools = {
  config: Config
  args: string[]
  signal: AbortSignal
  say: (line: string) => void
  /** Shows the progress: one updating line on a terminal, a line now and then elsewhere. */
  progress: (text: () => string) => void
}

/** The exit status. 0: all is well. 2: done, and faults were found. An error exits with 1. */
export type Status = 0 | 2

/** Runs a command from the terminal. Ctrl-C stops it cleanly. */
export async function runCommand(
  usage: string,
  arity: { least: number; most: number; flags?: string[] },
  work: (tools: Tools) => Promise<Status>,
): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) return console.log(usage)
  const isUnknown = (arg: string) => arg.startsWith('-') && !arity.flags?.includes(arg)
  const isWrong = args.length < arity.least || args.length > arity.most || args.some(isUnknown)
  if (isWrong) {
    console.error(usage)
    process.exitCode = 1
    return
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
  if (process.env.npm_lifecycle_event) whenOrphaned(() => stop.abort())
  const line = new ProgressLine()
  try {
    const config = readConfig(process.env)
    const tools = { config, args, signal: stop.signal, say: line.say, progress: line.progress }
    process.exitCode = await work(tools)
  } catch (error) {
    process.exitCode = 1
    if (stop.signal.aborted) line.say('Stopped.')
    else
      line.say(process.env.LOG_LEVEL === 'debug' ? String((error as Error).stack) : (error as Error).message)
  } finally {
    line.clear()
  }
}

class ProgressLine {
  #last = process.stderr.isTTY ? 0 : Date.now() // off a terminal, a short run prints no progress
  #isShown = false

  progress = (text: () => string): void => {
    const isTerminal = process.stderr.isTTY
    const now = Date.now()
    if (now - this.#last < (isTerminal ? 100 : 30_000)) return
    this.#last = now
    this.#isShown = isTerminal
    process.stderr.write(isTerminal ? `\r\x1b[2K${text()}` : `${text()}\n`)
  }

  say = (line: string): void => {
    this.clear()
    process.stderr.write(`${line}\n`)
  }

  clear(): void {
    if (this.#isShown) process.stderr.write('\r\x1b[2K')
    this.#isShown = false
  }
}
