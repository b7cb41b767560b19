import { fork, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PATIENCE } from './patience.ts'
import { OwnTurns } from './turns.ts'

/** The messages between workers and their primary. */
export type FromWorker =
  | { is: 'ready' }
  | { is: 'taken' }
  | { is: 'alive' }
  | { is: 'take'; turn: number; key: string }
  | { is: 'over'; turn: number }
  | { is: 'ask-all'; survey: number }
  | { is: 'told'; question: number; answer: string }
export type ToWorker =
  | { is: 'connection' }
  | { is: 'alive?' }
  | { is: 'leaving' }
  | { is: 'stop' }
  | { is: 'yours'; turn: number }
  | { is: 'leave'; turn: number }
  | { is: 'tell'; question: number }
  | { is: 'all-told'; survey: number; answers: string[] }

type Options = {
  count: number
  /** The program that each worker runs. */
  program: string
  env: Record<string, string>
  say: (message: string) => void
  /** The primary's own answer in a survey. */
  tellOwn?: () => Promise<string>
  /** How long a worker may be silent before it counts as hung. */
  silenceMs?: number
}

type RunningWorker = {
  child: ChildProcess
  /** How many liveness checks have gone unanswered. */
  unanswered: number
  /** The connection that it was given and has not confirmed yet. */
  given: Socket | null
  /** Ends the turns that it holds or waits for, by number. */
  turns: Map<number, () => void>
  /** Takes its answers to the questions of surveys, by number. */
  questions: Map<number, (answer: string) => void>
}

/** A worker that ran this long did not fail at its start. */
const LASTED_MS = 60_000
const MOST_WAIT_MS = 10_000
/** No normal work of a worker blocks it this long. */
const SILENCE_MS = 30_000
/** A survey does without those who do not answer for so long. */
const SURVEY_MS = 2_000
/** Counted in questions, not time: a sleeping computer or a busy primary is not the worker's fault. */
const MOST_UNANSWERED = 6

/**
 * Runs several processes that serve one port. The primary accepts the connections and gives each to a free worker. So
 * the port stays open, and new connections wait, while a worker restarts.
 */
export class Workers {
  #options: Options
  #server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#give(socket))
  #waiting: Socket[] = []
  /** The worker that got a connection last comes last. */
  #free = new Set<RunningWorker>()
  #running = new Set<RunningWorker>()
  #turns = new OwnTurns()
  #lastQuestion = 0
  #stopping = new AbortController()

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns the port when all workers are ready. */
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
    this.#server.maxConnections = PATIENCE.connections.all // counts only connections that no worker has taken yet
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, host, resolve)
    })
    return (this.#server.address() as AddressInfo).port
  }

  /** Warns the workers that they will be told to stop soon. */
  leave(): void {
    for (const { child } of this.#running) tell(child, { is: 'leaving' })
  }

  /** Gives running requests this long; kills a worker that has not ended soon after. */
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

  /** Keeps one worker running. Calls `onReady` when it is ready and `onEnd` when it ends. */
  async #keep(number: number, onReady: () => void, onEnd: (how: string) => void): Promise<void> {
    for (let wait = 100; ;) {
      const began = Date.now()
      const how = await this.#run(number, onReady)
      onEnd(how)
      if (this.#stopping.signal.aborted) return
      this.#options.say(`Worker ${number} ended unexpectedly (${how}); starting it again.`)
      // A worker that keeps dying at once must not slow the others down.
      wait = Date.now() - began > LASTED_MS ? 100 : Math.min(wait * 2, MOST_WAIT_MS)
      await sleep(wait, undefined, this.#stopping).catch(() => undefined)
      if (this.#stopping.signal.aborted) return
    }
  }

  async #run(number: number, onReady: () => void): Promise<string> {
    const { program, env } = this.#options
    const child = fork(program, { env: { ...process.env, ...env, RINGBIND_WORKER: String(number) } })
    const worker: RunningWorker = {
      child,
      unanswered: 0,
      given: null,
      turns: new Map(),
      questions: new Map(),
    }
    this.#running.add(worker)
    let asking: NodeJS.Timeout | undefined
    child.on('message', (message: FromWorker) => {
      worker.unanswered = 0
      if (message.is === 'ready') {
        onReady()
        asking = this.#askWhetherAlive(number, worker) // begins here, because a start may take any time
      }
      if (message.is === 'alive') return
      if (message.is === 'ready' || message.is === 'taken') this.#isFree(worker)
      else if (message.is === 'take') void this.#takeTurn(worker, message.turn, message.key)
      else if (message.is === 'ask-all') void this.#askAll(worker, message.survey)
      else if (message.is === 'told') worker.questions.get(message.question)?.(message.answer)
      else worker.turns.get(message.turn)?.()
    })
    const how = await ended(child)
    clearInterval(asking)
    this.#running.delete(worker)
    this.#free.delete(worker)
    for (const end of worker.turns.values()) end()
    if (worker.given) this.#give(worker.given) // nobody has read from it yet
    return how
  }

  /** Asks a worker whether it is alive. Kills one that hangs; `#keep` starts it again. */
  #askWhetherAlive(number: number, worker: RunningWorker): NodeJS.Timeout {
    const { silenceMs = SILENCE_MS, say } = this.#options
    return setInterval(() => {
      if (this.#stopping.signal.aborted) return // stop() has its own time limit
      if (worker.unanswered === MOST_UNANSWERED) {
        say(`Worker ${number} has not answered for ${Math.round(silenceMs / 1000)} seconds; it is ended.`)
        worker.child.kill('SIGKILL')
      }
      worker.unanswered++
      tell(worker.child, { is: 'alive?' })
    }, silenceMs / MOST_UNANSWERED).unref()
  }

  #isFree(worker: RunningWorker): void {
    worker.given?.destroy() // closes our copy only: the connection is the worker's now
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

  /** Asks every process for a worker. */
  async #askAll({ child }: RunningWorker, survey: number): Promise<void> {
    const { tellOwn } = this.#options
    const own = tellOwn ? tellOwn().catch(() => null) : Promise.resolve(null)
    const asked = [own, ...[...this.#running].map((worker) => this.#askOne(worker))]
    const answers = (await Promise.all(asked)).filter((answer) => answer !== null)
    tell(child, { is: 'all-told', survey, answers })
  }

  /** Returns null if the worker does not answer in time. */
  async #askOne({ child, questions }: RunningWorker): Promise<string | null> {
    const question = ++this.#lastQuestion
    const answer = new Promise<string>((resolve) => questions.set(question, resolve))
    tell(child, { is: 'tell', question })
    const late = sleep(SURVEY_MS, null, { ref: false })
    return Promise.race([answer, late]).finally(() => questions.delete(question))
  }

  /** Takes a turn for a worker, until it says that the turn is over, or dies. */
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

/** Time after the requests, for pending writes. */
const LEAVING_SECONDS = 10

/** Sends a message. Ignores a worker that has ended, which is noticed elsewhere. */
function tell(child: ChildProcess, message: ToWorker, socket?: Socket): void {
  child.send(message, socket, { keepOpen: true }, () => undefined)
}

const LAST_WORDS_MS = 2000

/** Waits until a worker has ended and its last message is read. Returns its status, or the signal that killed it. */
async function ended(child: ChildProcess): Promise<string> {
  const silent = new Promise((resolve) => child.once('disconnect', resolve))
  const how = await new Promise<string>((resolve) => {
    const gone = child.exitCode ?? child.signalCode
    if (gone !== null) resolve(String(gone)) // it says so only once
    child.once('error', (error) => child.pid === undefined && resolve(error.message))
    child.once('exit', (code, signal) => resolve(String(code ?? signal)))
  })
  // Its last messages have arrived, but Node may not report that the connection to it is closed.
  if (child.connected) await Promise.race([silent, sleep(LAST_WORDS_MS)])
  return how
}
