import { compareDanish } from '../../base/danish/order.ts'
import { nextBatch, type Sent } from './send-batch.ts'
import { addSample, secondsLeft, type Sample } from './time-left.ts'
import type { Transport } from './transport.ts'
import {
  AFRESH,
  failedBy,
  findAgain,
  isToBeSent,
  isUnderWay,
  leftUpload,
  newUpload,
  NO_LONGER_THERE,
  refusalOf,
  sumOf,
  type ChosenUpload,
  type LeftUpload,
  type Limits,
  type Upload,
} from './upload.ts'
import type { Widget } from './widget.ts'

/** How often progress is shown: the eye follows no faster, and a pile has thousands of rows. */
const TOLD_EVERY_MS = 250

/** How long an undo is offered. */
const UNDO_MS = 10_000

type Change = (upload: Upload, index: number) => Partial<Upload>

type Options = {
  limits: Limits
  widget: Pick<Widget, 'chunkBytes' | 'parallelUploads'>
  transport: Transport
  /** The name that a dropped file gets at first. */
  nameOf: (name: string) => string
}

type QueueState = {
  uploads: readonly Upload[]
  /** How many files were dropped when they were too many; otherwise 0. */
  tooMany: number
  /** How long the rest takes, or null if unknown. */
  seconds: number | null
}

/** Files on their way to the server, a few at a time, while their form is still being filled in. */
export class UploadQueue {
  /** Files that were dropped while the form was being saved. */
  late: File[] = []
  #state: QueueState = { uploads: [], tooMany: 0, seconds: null }
  /** The uploads that are to be sent, in this order. */
  #wanted: readonly string[] = []
  #running = new Map<AbortController, readonly string[]>()
  /** The running calls whose bytes have arrived and are only read. */
  #checking = new Set<AbortController>()
  #removed = new Set<string>()
  #isFrozen = false
  /** The server cannot be reached: nothing is sent until it answers again. */
  #isCut = false
  #samples: readonly Sample[] = []
  #listeners = new Set<() => void>()
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get = (): QueueState => this.#state

  add = (files: readonly File[]): void => {
    const { limits, nameOf } = this.#options
    if (this.#isFrozen) return void this.late.push(...files)
    const { uploads } = this.#state
    const again = findAgain(uploads, files)
    const fresh = files.filter((file) => !again.has(file))
    const isTooMany = uploads.length + fresh.length > limits.files
    if (isTooMany) return this.#tell({ tooMany: files.length })
    // A directory lists its files in no order.
    const inOrder = fresh.toSorted((a, b) => compareDanish(a.name, b.name))
    const added = inOrder.map((file) => newUpload(file, nameOf(file.name), limits))
    const found = new Map([...again].map(([file, { id }]) => [id, file]))
    const before = uploads.map((each) => {
      const file = found.get(each.id)
      return file ? { ...each, ...AFRESH, file } : each
    })
    this.#tell({ uploads: [...before, ...added], tooMany: 0 })
    if (this.#isCut) this.#markWaiting()
    return this.#goOn()
  }

  /** Adds what an earlier page has left. Returns the uploads' ids, in the same order; fewer if there is no room for all. */
  restore(left: readonly LeftUpload[]): string[] {
    const { limits } = this.#options
    const { uploads } = this.#state
    if (this.#isFrozen) return []
    const added = left
      .slice(0, Math.max(0, limits.files - uploads.length))
      .map((each) => leftUpload(each, limits))
    this.#tell({ uploads: [...uploads, ...added] })
    return added.map(({ id }) => id)
  }

  /** Sets which uploads are sent, and in which order: those that have a place. */
  want(ids: readonly string[]): void {
    this.#wanted = ids
    this.#tellTime()
    this.#goOn()
  }

  /** Removes some uploads. Returns a function that puts them back. */
  remove(ids: readonly string[]): () => void {
    if (this.#isFrozen) return () => undefined
    const gone = this.#state.uploads.filter(({ id }) => ids.includes(id))
    this.forget(ids)
    const giveUpSoon = setTimeout(() => {
      for (const { hashName } of gone) if (hashName) this.#options.transport.giveUp(hashName)
    }, UNDO_MS)
    return () => {
      if (this.#isFrozen) return
      clearTimeout(giveUpSoon)
      for (const { id } of gone) this.#removed.delete(id)
      const back = gone.map((each) => (isUnderWay(each) ? { ...each, ...AFRESH } : each))
      this.#tell({ uploads: [...this.#state.uploads, ...back] })
      this.#goOn()
    }
  }

  /** Removes some uploads for good; files that have arrived stay on the server. */
  forget(ids: readonly string[]): void {
    const gone = new Set(ids)
    for (const id of ids) this.#removed.add(id)
    this.#tell({ uploads: this.#state.uploads.filter(({ id }) => !gone.has(id)), tooMany: 0 })
    for (const [controller, theirs] of this.#running)
      if (theirs.every((id) => gone.has(id))) controller.abort()
  }

  retry(ids: readonly string[]): void {
    if (this.#isFrozen) return
    this.#change(ids, ({ file }) => (file ? AFRESH : {}))
    this.#goOn()
  }

  choose(ids: readonly string[], choice: Upload['choice']): void {
    if (!this.#isFrozen) this.#change(ids, () => ({ choice }))
  }

  /** Marks uploads that the server no longer has, so that a retry sends them again. */
  fail(faults: ReadonlyMap<string, string>): void {
    this.#change([...faults.keys()], ({ id, file }) => ({
      ...AFRESH,
      ...(file ? failedBy(faults.get(id)!) : { ...failedBy(NO_LONGER_THERE), mayRetry: false }),
    }))
  }

  /** Marks uploads that the server refuses although it has their bytes. */
  refuse(faults: ReadonlyMap<string, string>): void {
    this.#change([...faults.keys()], ({ id }) => failedBy(faults.get(id)!))
  }

  /** Returns whether the names were changed. */
  rename(names: ReadonlyMap<string, string>): boolean {
    if (this.#isFrozen) return false
    this.#change([...names.keys()], ({ id, size, state, hashName }) => {
      const name = names.get(id)!
      // The old name may have been the only fault.
      const again = state === 'failed' && hashName !== null ? ({ state: 'sent', fault: null } as const) : {}
      return { name, refusal: refusalOf(name, size, this.#options.limits.bytes), ...again }
    })
    return true
  }

  /** While the form is saved, its uploads must not change. */
  freeze(isOn: boolean): void {
    this.#isFrozen = isOn
    if (!isOn && this.late.length > 0) this.add(this.late.splice(0))
  }

  /** Starts as many calls as may run at a time. */
  #goOn(): void {
    const { widget } = this.#options
    if (this.#isCut) return
    for (;;) {
      // A file that the server only reads does not hold up others, up to a limit: too many would ask too often.
      const read = Math.min(this.#checking.size, widget.parallelUploads)
      const waiting = this.#wantedUploads().filter(isToBeSent)
      if (waiting.length === 0 || this.#running.size - read >= widget.parallelUploads) return
      void this.#send(nextBatch(waiting, widget.chunkBytes))
    }
  }

  async #send(batch: readonly ChosenUpload[]): Promise<void> {
    const { transport } = this.#options
    const ids = batch.map(({ id }) => id)
    const controller = new AbortController()
    this.#running.set(controller, ids)
    this.#change(ids, () => ({ state: 'sending', awaitsNet: false }))
    const outcome = await transport.send(batch, {
      signal: controller.signal,
      onProgress: seldom((part) =>
        this.#change(ids, ({ size, done }) => ({ done: Math.max(done, Math.floor(size * part)) })),
      ),
      onThere: () => {
        this.#checking.add(controller)
        this.#change(ids, ({ size }) => ({ state: 'checking', done: size }))
        this.#goOn()
      },
      onRestart: () => this.#change(ids, () => ({ done: 0 })),
    })
    const isCut = outcome.kind === 'broken' && !controller.signal.aborted && !(await transport.isReachable())
    this.#running.delete(controller)
    this.#checking.delete(controller)
    if (isCut) return this.#awaitNet(ids)
    if (outcome.kind === 'sent')
      outcome.files.forEach(
        ({ hash_name: hashName }, index) => this.#removed.has(ids[index]!) && transport.giveUp(hashName),
      )
    this.#change(ids, (upload, index) => after(upload, index, outcome))
    return this.#goOn()
  }

  /** Sends these and all others when the server answers again. */
  #awaitNet(ids: readonly string[]): void {
    const wasCut = this.#isCut
    this.#isCut = true
    this.#change(ids, () => AFRESH)
    this.#markWaiting()
    if (wasCut) return
    this.#options.transport.whenReachable(() => {
      this.#isCut = false
      this.#markWaiting()
      this.#goOn()
    })
  }

  #markWaiting(): void {
    const ids = this.#state.uploads.filter(({ state }) => state === 'waiting').map(({ id }) => id)
    this.#change(ids, () => ({ awaitsNet: this.#isCut }))
  }

  #wantedUploads(): Upload[] {
    const byId = new Map(this.#state.uploads.map((upload) => [upload.id, upload]))
    return this.#wanted.flatMap((id) => byId.get(id) ?? [])
  }

  #change(ids: readonly string[], make: Change): void {
    const places = new Map(ids.map((id, index) => [id, index]))
    const uploads = this.#state.uploads.map((each) => {
      const index = places.get(each.id)
      return index === undefined ? each : { ...each, ...make(each, index) }
    })
    this.#tell({ uploads })
  }

  #tell(change: Partial<QueueState>): void {
    this.#state = { ...this.#state, ...change }
    this.#state = { ...this.#state, seconds: this.#secondsLeft() }
    for (const listener of this.#listeners) listener()
  }

  #tellTime(): void {
    if (this.#secondsLeft() !== this.#state.seconds) this.#tell({})
  }

  #secondsLeft(): number | null {
    const wanted = this.#wantedUploads()
    const done = sumOf(wanted, 'done')
    if (done !== this.#samples.at(-1)?.done)
      this.#samples = addSample(this.#samples, { at: performance.now(), done })
    return secondsLeft(this.#samples, sumOf(wanted, 'size') - done)
  }
}

function after(upload: Upload, index: number, outcome: Sent): Partial<Upload> {
  if (outcome.kind === 'sent') {
    const { hash_name: hashName, type } = outcome.files[index]!
    return { state: 'sent', done: upload.size, hashName, type }
  }
  if (outcome.kind === 'broken') return { done: 0, ...failedBy('Forbindelsen blev afbrudt.') }
  // None of a refused call is stored: the others are sent again without the faulty one.
  const fault = outcome.faults.size > 0 ? outcome.faults.get(index) : outcome.message
  return fault === undefined ? { state: 'waiting', done: 0 } : { done: 0, ...failedBy(fault) }
}

/** Returns the function, called at most once per interval. */
function seldom(run: (part: number) => void): (part: number) => void {
  let last = 0
  return (part) => {
    const now = performance.now()
    if (now - last < TOLD_EVERY_MS) return
    last = now
    run(part)
  }
}
