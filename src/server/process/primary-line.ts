import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Survey } from './survey.ts'
import type { Turns } from './turns.ts'
import type { FromWorker, ToWorker } from './workers.ts'

/** Returns this worker's number, counted from 1; null in any other process. */
export function workerNumber(): number | null {
  return process.send ? Number(process.env.RINGBIND_WORKER ?? 0) || null : null
}

type Waiting = { stop: () => void; begin: () => void }

/** A worker's connection to the primary, the process that started it. The worker exits when the primary is gone. */
export class PrimaryLine implements Turns, Survey {
  /** Aborted when the primary wants us to stop. */
  stopped: AbortSignal
  /** Aborted some seconds before. */
  leaving: AbortSignal
  #stopping = new AbortController()
  #leaving = new AbortController()
  #sockets = new Set<Socket>()
  #onConnection: (socket: Socket) => void = (socket) => socket.destroy()
  #turns = new Map<number, Waiting>()
  #lastTurn = 0
  #surveys = new Map<number, (answers: string[]) => void>()
  #lastSurvey = 0
  #tellOwn: () => Promise<string> = () => Promise.reject(new Error('nothing to tell'))

  constructor() {
    this.stopped = this.#stopping.signal
    this.leaving = this.#leaving.signal
    process.once('disconnect', () => process.exit(1))
    process.on('message', (message: ToWorker, socket?: Socket) => {
      if (message.is === 'stop') this.#stopping.abort()
      else if (message.is === 'leaving') this.#leaving.abort()
      else if (message.is === 'yours') this.#turns.get(message.turn)?.begin()
      else if (message.is === 'leave') this.#turns.get(message.turn)?.stop()
      else if (message.is === 'alive?') this.#tell({ is: 'alive' })
      else if (message.is === 'tell') void this.#answer(message.question)
      else if (message.is === 'all-told') this.#surveys.get(message.survey)?.(message.answers)
      else {
        this.#tell({ is: 'taken' })
        if (socket) this.#onConnection(socket) // the socket may have closed on the way
      }
    })
  }

  /**
   * Serves the connections that the primary accepts. Closing the app waits for them, as if the app itself listened.
   */
  async serve(app: FastifyInstance): Promise<void> {
    app.addHook('preClose', (done) => void this.#untilAlone().then(() => done()))
    await app.ready()
    app.server.emit('listening') // from here on it tracks connections and their timeouts
    this.#onConnection = (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
      app.server.emit('connection', socket)
    }
    this.#tell({ is: 'ready' })
  }

  /** Runs one at a time for each key, among all workers. */
  async take<Result>(key: string, stop: () => void, work: () => Promise<Result>): Promise<Result> {
    const turn = ++this.#lastTurn
    const { promise: mine, resolve: begin } = Promise.withResolvers<void>()
    this.#turns.set(turn, { stop, begin })
    this.#tell({ is: 'take', turn, key })
    await mine
    try {
      return await work()
    } finally {
      this.#turns.delete(turn)
      this.#tell({ is: 'over', turn })
    }
  }

  answer(tell: () => Promise<string>): void {
    this.#tellOwn = tell
  }

  async ask(): Promise<string[]> {
    const survey = ++this.#lastSurvey
    const answers = new Promise<string[]>((resolve) => this.#surveys.set(survey, resolve))
    this.#tell({ is: 'ask-all', survey })
    return answers.finally(() => this.#surveys.delete(survey))
  }

  /** Says nothing if it fails: the survey does without. */
  async #answer(question: number): Promise<void> {
    const answer = await this.#tellOwn().catch(() => null)
    if (answer !== null) this.#tell({ is: 'told', question, answer })
  }

  async #untilAlone(): Promise<void> {
    const closed = [...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    await Promise.all(closed)
  }

  #tell(message: FromWorker): void {
    process.send!(message, undefined, {}, () => undefined) // if the primary is gone, this process exits anyway
  }
}
