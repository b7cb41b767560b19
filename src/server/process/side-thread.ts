import { Worker as NodeThread } from 'node:worker_threads'
import { FairQueue } from './fair-queue.ts'
import { PROJECT } from './project-directory.ts'

type Options = {
  /** A task that takes longer is given up, and the thread with it. */
  mostMs?: number
  megabytes?: number
}

/** The thread ended or took too long: its task is at fault. */
class ThreadFailed extends Error {}

/**
 * Runs tasks of one of our programs in its own thread, one at a time, so that the main thread answers others meanwhile.
 * Clients take turns, so tasks should be short. The thread starts with the first task, and again after it has failed.
 */
export class SideThread<Task, Answer> {
  #program: URL
  #options: Required<Options>
  #turns = new FairQueue({ atOnce: 1 })
  #worker: NodeThread | null = null

  /** `program` is the path of a file in the project that answers each message of its parent with one message. */
  constructor(program: string, { mostMs = 20_000, megabytes = 96 }: Options = {}) {
    this.#program = new URL(program, PROJECT)
    this.#options = { mostMs, megabytes }
  }

  /** Waits for the client's turn, and then for the answer. Rejects before it begins if the signal is aborted by then. */
  ask(client: string, task: Task, { signal, passed = [] }: Asking = {}): Promise<Answer> {
    return this.#turns.run(client, () => {
      signal?.throwIfAborted()
      return this.#run(task, passed)
    })
  }

  #run(task: Task, passed: ArrayBuffer[]): Promise<Answer> {
    const worker = (this.#worker ??= this.#start())
    return new Promise<Answer>((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer)
        worker.removeAllListeners()
        worker.on('error', () => undefined)
        then()
      }
      const fail = (reason: string, cause?: unknown) =>
        settle(() => {
          if (this.#worker === worker) this.#worker = null
          void worker.terminate()
          reject(new ThreadFailed(reason, { cause }))
        })
      const timer = setTimeout(() => fail('The thread took too long.'), this.#options.mostMs)
      worker.removeAllListeners()
      worker
        .once('message', (answer: Answer) => settle(() => resolve(answer)))
        .once('error', (error) => fail('The thread failed.', error))
        .once('exit', () => fail('The thread ended.'))
      worker.postMessage(task, passed)
    })
  }

  #start(): NodeThread {
    const worker = new NodeThread(this.#program, {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.megabytes, maxYoungGenerationSizeMb: 8 },
    })
    worker.unref()
    return worker
  }
}

type Asking = {
  signal?: AbortSignal | undefined
  /** Buffers of the task that the thread gets without a copy. */
  passed?: ArrayBuffer[]
}
