import { MOST_AT_ONCE, type UnsavedFile, type PilePublishing, type PileChange } from './unsaved-pile.ts'

/** How long after a write the next one may follow. */
const PAUSE_MS = 1000
/** How long to wait after a write that did not get through, or was refused. */
const AGAIN_MS = 10_000
/** A page that is being left may send 64 KB; some of it is the frame around the files. */
const LEAVING_BYTES = 60_000

export type PileState = { files: ReadonlyMap<string, UnsavedFile>; publishing: PilePublishing }

/** Null while nothing may be written. */
type Read = (() => PileState) | null

/** Sends a change. Returns whether the server has kept it. While the page is left, nobody hears the answer. */
export type WriteChange = (change: PileChange, isLeaving: boolean) => Promise<boolean>

/** Stores a page's pile on the server a moment after a change: one write at a time, only what is new. */
export class PileKeeper {
  /** The pile's name: each page has its own, so that two pages do not write over each other. */
  readonly key: string
  readonly form: string
  readonly #write: WriteChange
  /** Computed only when it is written, since a pile changes with every bit of progress. */
  #read: Read = null
  /** The server's state, by the file's id, as JSON. */
  #written = new Map<string, string>()
  #publishing = ''
  /** Files of other piles that are in this one now. */
  #takenOver: string[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<unknown> | null = null
  #next = 0

  constructor(form: string, key: string, write: WriteChange) {
    this.form = form
    this.key = key
    this.#write = write
  }

  /** Says that something may have changed; null while nothing may be written, because the form is being saved. */
  notice(read: Read): void {
    this.#read = read
    this.#goOn()
  }

  /** Adds files of other piles: they leave those when they are written here. */
  takeOver(keys: readonly string[]): void {
    this.#takenOver.push(...keys)
    this.#goOn()
  }

  /** Writes everything again: the server has forgotten the pile with the files of it that were saved. */
  startOver(): void {
    this.#written.clear()
    this.#publishing = ''
    this.#goOn()
  }

  /**
   * Writes all that is new at once: the server has to know the files that are left out of a form that is saved. Returns
   * whether it does.
   */
  async flush(): Promise<boolean> {
    const read = this.#read // it is taken away while the form is saved
    await this.#writing
    do this.stop()
    while (await this.#writeNext(read))
    return read !== null && this.#nextChange(read, Infinity).change === null
  }

  /** Writes as much as a page may that is being left. */
  leave(): void {
    const { change } = this.#nextChange(this.#read, LEAVING_BYTES)
    if (change) void this.#write(change, true)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #goOn(): void {
    if (this.#timer !== undefined || this.#writing || !this.#read) return
    this.#timer = setTimeout(
      () => void this.#writeNext(this.#read),
      Math.max(0, this.#next - performance.now()),
    )
  }

  /** Returns whether something was new, and was kept. */
  async #writeNext(read: Read): Promise<boolean> {
    this.#timer = undefined
    const { change, files, publishing } = this.#nextChange(read, Infinity)
    if (!change) return false
    const writing = this.#write(change, false)
    this.#writing = writing
    const isKept = await writing
    this.#writing = null
    this.#next = performance.now() + (isKept ? PAUSE_MS : AGAIN_MS)
    if (isKept) {
      const gone = new Set(change.gone)
      for (const id of this.#written.keys()) if (gone.has(this.#keyOf(id))) this.#written.delete(id)
      for (const [id, text] of files) this.#written.set(id, text)
      this.#publishing = publishing
      this.#takenOver = this.#takenOver.filter((key) => !gone.has(key))
    }
    this.#goOn()
    return isKept
  }

  #keyOf(id: string): string {
    return `${this.key}.${id}`
  }

  #nextChange(
    read: Read,
    mostBytes: number,
  ): {
    change: PileChange | null
    files: ReadonlyMap<string, string>
    publishing: string
  } {
    const state = read?.()
    const files = new Map<string, string>()
    if (!state || (state.files.size === 0 && this.#written.size === 0))
      return { change: null, files, publishing: '' }
    const left = [...this.#written.keys()].filter((id) => !state.files.has(id)).map((id) => this.#keyOf(id))
    let bytes = left.join().length
    let isAll = true
    for (const [id, file] of state.files) {
      const text = JSON.stringify(file)
      if (this.#written.get(id) === text) continue
      // A letter is up to three bytes.
      bytes += 3 * text.length + id.length
      isAll = bytes <= mostBytes && files.size < MOST_AT_ONCE
      if (!isAll) break
      files.set(id, text)
    }
    // Files leave other piles only when they all are in this one.
    const taken = isAll && mostBytes === Infinity ? this.#takenOver : []
    const gone = [...left, ...taken]
    const publishing = JSON.stringify(state.publishing)
    if (files.size === 0 && gone.length === 0 && publishing === this.#publishing)
      return { change: null, files, publishing }
    const some = Object.fromEntries([...files.keys()].map((id) => [id, state.files.get(id)!]))
    return {
      change: { form: this.form, pile: this.key, publishing: state.publishing, files: some, gone },
      files,
      publishing,
    }
  }
}
