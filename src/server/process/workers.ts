import { fork, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE } from './patience.ts'
import { OwnTurns } from './turns.ts'

/** What workers and their primary say to each other. */
export type FromWorker =
  | { is: 'ready' }
  | { is: 'taken' }
  | { is: 'alive' }
  | { is: 'take'; turn: number; key: string }
  | { is: 'over'; turn: number }
export type ToWorker =
  | { is: 'connection' }
  | { is: 'alive?' }
  | { is: 'stop' }
  | { is: 'yours'; turn: number }
  | { is: 'leave'; turn: number }

type Options = {
  count: number
  /** What each of them runs, and is told in its environment. */
  program: string
  env: Record<string, string>
  say: (message: string) => void
  /** One that has been silent for so long hangs. */
  silenceMs?: number
}

type RunningWorker = {
  child: ChildProcess
  /** How often it has been asked in vain whether it is alive. */
  unanswered: number
  /** What it has been given, and not taken yet. */
  given: Socket | null
  /** Of the turns that it has or waits for. */
  turns: Map<number, () => void>
}

/** One that lasted so long did not die of its start. */
const LASTED_MS = 60_000
const MOST_WAIT_MS = 10_000
/** Nothing that a worker does by itself takes so long. */
const SILENCE_MS = 30_000
/** Counted in questions: a computer that slept, or a primary that was busy, is no fault of the worker's. */
const MOST_UNANSWERED = 6

/**
 * Processes that serve one port together. This one takes the connections and gives each to a worker that is free, so that
 * the port is held, and who comes waits, also while a worker is being started again.
 */
export class Workers {
  #options: Options
  #server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#give(socket))
  #waiting: Socket[] = []
  /** Who was given a connection last comes last. */
  #free = new Set<RunningWorker>()
  #running = new Set<RunningWorker>()
  #turns = new OwnTurns()
  #stopping = new AbortController()

  constructor(options: Options) {
    this.#options = options
  }

  /** Answers the port, when all of them are ready. */
  async start(port: number, host: string): Promise<number> {
    const numbers = Array.from({ length: this.#options.count }, (_, index) => index + 1)
    await Promise.all(
      numbers.map(
        (number) =>
          new Promise<void>((resolve, reject) => {
            void this.#keep(number, resolve, (end) =>
              reject(new Error(`Worker ${number} ended (${end}) before it was ready.`)),
            )
          }),
      ),
    )
    this.#server.maxConnections = PATIENCE.connections.all // of those that no worker has taken yet
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, host, resolve)
    })
    return (this.#server.address() as AddressInfo).port
  }

  /** Running requests may take so long; who is not gone soon after that is killed. */
  async stop(seconds: number): Promise<void> {
    this.#server.close()
    for (let round = 0; round < 30 && this.#waiting.length > 0; round++) await sleep(10)
    this.#stopping.abort()
    for (const socket of this.#waiting.splice(0)) socket.destroy()
    const ends = [...this.#running].map(async ({ child }) => {
      const gone = ended(child)
      tell(child, { is: 'stop' })
      const impatient = setTimeout(() => child.kill('SIGKILL'), (seconds + LEAVING_SECONDS) * 1000)
      await gone
      clearTimeout(impatient)
    })
    await Promise.all(ends)
  }

  /** Keeps one of them running; it was ready once, or ended before. */
  async #keep(number: number, onReady: () => void, onEnd: (how: string) => void): Promise<void> {
    for (let wait = 100; ;) {
      const began = Date.now()
      const how = await this.#run(number, onReady)
      onEnd(how)
      if (this.#stopping.signal.aborted) return
      this.#options.say(`Worker ${number} ended unexpectedly (${how}); starting it again.`)
      // One that dies at once again and again must not take the others' time.
      wait = Date.now() - began > LASTED_MS ? 100 : Math.min(wait * 2, MOST_WAIT_MS)
      await sleep(wait, undefined, this.#stopping).catch(() => undefined)
      if (this.#stopping.signal.aborted) return
    }
  }

  async #run(number: number, onReady: () => void): Promise<string> {
    const { program, env } = this.#options
    const child = fork(program, { env: { ...process.env, ...env, RINGBIND_WORKER: String(number) } })
    const worker: RunningWorker = { child, unanswered: 0, given: null, turns: new Map() }
    this.#running.add(worker)
    let asking: NodeJS.Timeout | undefined
    child.on('message', (message: FromWorker) => {
      worker.unanswered = 0
      if (message.is === 'ready') {
        onReady()
        asking = this.#askWhetherAlive(number, worker) // to start may take as long as it takes
      }
      if (message.is === 'alive') return
      if (message.is === 'ready' || message.is === 'taken') this.#isFree(worker)
      else if (message.is === 'take') void this.#takeTurn(worker, message.turn, message.key)
      else worker.turns.get(message.turn)?.()
    })
    const how = await ended(child)
    clearInterval(asking)
    this.#running.delete(worker)
    this.#free.delete(worker)
    for (const end of worker.turns.values()) end()
    if (worker.given) this.#give(worker.given) // nobody has read a byte of it
    return how
  }

  /** One that hangs is killed, and so replaced. */
  #askWhetherAlive(number: number, worker: RunningWorker): NodeJS.Timeout {
    const { silenceMs = SILENCE_MS, say } = this.#options
    return setInterval(() => {
      if (this.#stopping.signal.aborted) return // a stop has its own patience
      if (worker.unanswered === MOST_UNANSWERED) {
        say(`Worker ${number} has not answered for ${Math.round(silenceMs / 1000)} seconds; it is ended.`)
        worker.child.kill('SIGKILL')
      }
      worker.unanswered++
      tell(worker.child, { is: 'alive?' })
    }, silenceMs / MOST_UNANSWERED).unref()
  }

  #isFree(worker: RunningWorker): void {
    worker.given?.destroy() // ours alone: the connection is the worker's now
    worker.given = null
    if (this.#stopping.signal.aborted) return
    this.#free.add(worker)
    const next = this.#waiting.shift()
    if (next) this.#give(next)
  }

  #give(socket: Socket): void {
    const [worker] = this.#free
    if (this.#stopping.signal.aborted) return void socket.destroy()
    if (!worker) return void this.#waiting.push(socket)
    this.#free.delete(worker)
    worker.given = socket
    tell(worker.child, { is: 'connection' }, socket)
  }

  /** Until it says that it is over, or dies. */
  async #takeTurn({ child, turns }: RunningWorker, turn: number, key: string): Promise<void> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    turns.set(turn, end)
    const leave = () => tell(child, { is: 'leave', turn })
    await this.#turns.take(key, leave, () => {
      tell(child, { is: 'yours', turn })
      return over
    })
    turns.delete(turn)
  }
}

/** Beside the requests: what waits to be written. */
const LEAVING_SECONDS = 10

/** One that is gone hears nothing, and its end is noticed. */
function tell(child: ChildProcess, message: ToWorker, socket?: Socket): void {
  child.send(message, socket, { keepOpen: true }, () => undefined)
}

/** How it ended: its status, or the signal it died of; when all that it has said is heard. */
async function ended(child: ChildProcess): Promise<string> {
  const silent = new Promise((resolve) => child.once('disconnect', resolve))
  const how = await new Promise<string>((resolve) => {
    child.once('error', (error) => child.pid === undefined && resolve(error.message))
    child.once('exit', (code, signal) => resolve(String(code ?? signal)))
  })
  if (child.connected) await silent
  return how
}
