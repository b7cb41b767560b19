import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** Keeps one child process running until it is stopped. */
export class SupervisedProcess {
  child: ChildProcess | undefined
  #stopping = new AbortController()
  #relaunching: Promise<void> | undefined
  #spawn: () => { child: ChildProcess; ready: Promise<void> }
  #cleanUp: () => Promise<void>
  #say: (message: string) => void
  #name: string
  // If stop() was not called, as after an uncaught exception, at least asks the server to leave.
  #onExit = () => void this.child?.kill('SIGINT')

  constructor(
    name: string,
    spawnChild: () => { child: ChildProcess; ready: Promise<void> },
    cleanUp: () => Promise<void>,
    say: (message: string) => void,
  ) {
    this.#name = name
    this.#spawn = spawnChild
    this.#cleanUp = cleanUp
    this.#say = say
  }

  async start(): Promise<void> {
    process.once('exit', this.#onExit)
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#launch()
      } catch (error) {
        if (attempt === 4) throw error
        await sleep(250 * attempt) // the backends of a killed server need a moment to leave
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.child) await end(this.child)
    await this.#relaunching
    if (this.child) await end(this.child) // a relaunch may just have started it
    await this.#cleanUp()
    process.off('exit', this.#onExit)
  }

  async #launch(): Promise<void> {
    await this.#cleanUp()
    if (this.#stopping.signal.aborted) return
    const { child, ready } = this.#spawn()
    this.child = child
    await ready
    child.once('exit', (code, signal) => {
      if (this.#stopping.signal.aborted) return
      this.#say(`${this.#name} ended unexpectedly (${signal ?? code}); starting it again.`)
      this.#relaunching = this.#relaunch()
    })
  }

  async #relaunch(): Promise<void> {
    for (let wait = 100; !this.#stopping.signal.aborted; wait = Math.min(wait * 2, 10_000)) {
      try {
        return await this.#launch()
      } catch (error) {
        if (!this.#stopping.signal.aborted) this.#say(String(error))
      }
      await sleep(wait, undefined, this.#stopping).catch(() => undefined)
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT') // fast shutdown: ends sessions, writes a checkpoint
  const impatient = [
    setTimeout(() => child.kill('SIGQUIT'), 30_000),
    setTimeout(() => child.kill('SIGKILL'), 35_000), // a stopped or stuck process reacts to nothing else
  ]
  await gone
  impatient.forEach(clearTimeout)
}

export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}
