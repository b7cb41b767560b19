import type { EventStream } from '../server/http/event-stream.ts'
import { FairQueue } from '../server/process/fair-queue.ts'
import type { Patience } from '../server/process/patience.ts'
import { SealedNumbers } from '../server/process/sealed-numbers.ts'
import { memberMark, personIn, withKind } from './interest.ts'

/** The marks that a listening page may hear about, and until when; null if it may no longer listen. */
export type Granted = { marks: readonly string[]; until: Date } | null

/** A listening page. `check` asks again for its marks. */
type Listening = { user: number; network: string; check: () => Promise<Granted> }

type Stream = Listening & {
  marks: ReadonlySet<string>
  until: number
  /** Null until the page has been checked. */
  out: EventStream | null
  /**
   * Whether the page is being checked, and whether to check it again because more has changed meanwhile. It hears
   * nothing until then.
   */
  doubt: 'none' | 'checking' | 'again'
}

/** Says that anything may have changed. */
const ANYTHING = '*'

/** How often a line is sent to each page, so that nothing on the way ends a silent connection: less than nginx's minute. */
const BEAT_MS = 40_000
/** How many notifications are remembered, for pages that reconnect. */
const REMEMBERED = 3000
/** Pages are told in groups, so that they do not all ask at once; all of them within about a second. */
const GROUP_MS = 50
const LEAST_GROUP = 10
const GROUPS = 10

/**
 * The pages of this process that listen for changes. It knows which marks (db/0034_live.sql) concern which page. Pages cost
 * nothing while nothing happens: no query, no timer of their own.
 */
export class LiveStreams {
  #bounds: Patience['streams']
  #all = new Set<Stream>()
  #byMark = new Map<string, Set<Stream>>()
  #byUser = new Map<number, Set<Stream>>()
  #networks = new Map<string, number>()
  #waiting = new Set<Stream>()
  #telling: NodeJS.Timeout | undefined
  #beat: NodeJS.Timeout | undefined
  #checks = new FairQueue({ atOnce: 3 })
  /** Encrypts positions, so that pages do not learn how much happens that they may not see. */
  #positions = new SealedNumbers()
  #count = 0
  #recent: { number: number; marks: readonly string[] }[] = []
  #isClosed = false

  constructor(bounds: Patience['streams']) {
    this.#bounds = bounds
  }

  get size(): number {
    return this.#all.size
  }

  /** How many notifications have come. */
  get count(): number {
    return this.#count
  }

  /**
   * Returns a count in the form that pages get. A page sends it back when it begins to listen, to learn whether it has
   * missed something.
   */
  positionAt(count: number): string {
    return this.#positions.seal(count)
  }

  /** Whether one more page of the person and the network can listen. */
  hasRoom({ user, network }: Pick<Listening, 'user' | 'network'>): boolean {
    const { all, network: ofNetwork, each } = this.#bounds
    return (
      !this.#isClosed &&
      this.#all.size < all &&
      (this.#networks.get(network) ?? 0) < ofNetwork &&
      (this.#byUser.get(user)?.size ?? 0) < each
    )
  }

  /**
   * Adds a page that has seen everything up to `since`. `open` answers it once it has been checked. Changes of rights
   * are noticed from the first moment. Returns false if the page may not listen.
   */
  async add(
    listening: Listening,
    since: string,
    open: (onClose: () => void) => EventStream,
  ): Promise<boolean> {
    const stream: Stream = { ...listening, marks: new Set(), until: 0, out: null, doubt: 'none' }
    this.#enter(stream)
    try {
      await this.#check(stream)
    } catch (error) {
      this.#leave(stream)
      throw error
    }
    if (!this.#all.has(stream)) return false
    stream.out = open(() => this.#leave(stream))
    // Both in one piece: a page that knows the position must know what it has missed.
    stream.out.send(`retry: ${RETRY_MS}\n${this.#hasMissed(stream, since) ? CHANGED : ''}${this.#idLine()}`)
    this.#beat ??= setInterval(() => this.#sendBeat(), BEAT_MS).unref()
    return true
  }

  /** Handles a notification: marks with spaces between them. */
  take(text: string): void {
    if (text === ANYTHING) return this.takeAnything()
    const marks = [...new Set(text.split(' ').flatMap(withKind))]
    this.#recent.push({ number: ++this.#count, marks })
    if (this.#recent.length > REMEMBERED) this.#recent.shift()
    for (const mark of marks) {
      const person = personIn(mark)
      if (person !== null) for (const stream of this.#byUser.get(person) ?? []) void this.#checkAgain(stream)
      this.#tellSoon(this.#byMark.get(mark) ?? [])
    }
    return undefined
  }

  /** Handles the loss of notifications: anything may have changed, also who may see what. */
  takeAnything(): void {
    this.#recent = [{ number: ++this.#count, marks: [ANYTHING] }]
    for (const stream of this.#all) void this.#checkAgain(stream)
    this.#tellSoon(this.#all)
  }

  /** Ends all streams. The pages reconnect, to another process or a later one, at different moments. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#beat)
    clearTimeout(this.#telling)
    for (const { out } of this.#all) out?.end(`retry: ${RETRY_MS + Math.floor(Math.random() * RETRY_MS)}\n\n`)
  }

  #enter(stream: Stream): void {
    const own = this.#byUser.get(stream.user) ?? new Set()
    this.#byUser.set(stream.user, own)
    own.add(stream)
    this.#all.add(stream)
    this.#networks.set(stream.network, (this.#networks.get(stream.network) ?? 0) + 1)
  }

  #leave(stream: Stream): void {
    if (!this.#all.delete(stream)) return
    this.#waiting.delete(stream)
    this.#listenTo(stream, [])
    const own = this.#byUser.get(stream.user)!
    own.delete(stream)
    if (own.size === 0) this.#byUser.delete(stream.user)
    const left = this.#networks.get(stream.network)! - 1
    if (left > 0) this.#networks.set(stream.network, left)
    else this.#networks.delete(stream.network)
    if (this.#all.size > 0) return
    clearInterval(this.#beat)
    this.#beat = undefined
  }

  /** Ends a stream. The page tries to reconnect, and is refused if it may not listen. */
  #end(stream: Stream): void {
    stream.out?.end('')
    this.#leave(stream)
  }

  #listenTo(stream: Stream, marks: readonly string[]): void {
    for (const mark of stream.marks) {
      const streams = this.#byMark.get(mark)
      streams?.delete(stream)
      if (streams?.size === 0) this.#byMark.delete(mark)
    }
    stream.marks = new Set(marks)
    for (const mark of marks) this.#byMark.set(mark, (this.#byMark.get(mark) ?? new Set()).add(stream))
  }

  /** Asks for the page's marks, until nothing has changed meanwhile. */
  async #check(stream: Stream): Promise<void> {
    do {
      stream.doubt = 'checking'
      const granted = await this.#checks.run(String(stream.user), stream.check)
      if (!this.#all.has(stream)) return
      if (!granted) return this.#end(stream)
      this.#listenTo(stream, granted.marks)
      stream.until = granted.until.getTime()
      // Set by a change that arrived while we asked.
    } while ((stream.doubt as Stream['doubt']) === 'again')
    stream.doubt = 'none'
  }

  async #checkAgain(stream: Stream): Promise<void> {
    if (stream.doubt !== 'none') {
      stream.doubt = 'again'
      return
    }
    const before = stream.marks
    try {
      await this.#check(stream)
    } catch {
      return this.#end(stream) // the page comes back when the database does
    }
    // Its new marks may have changed before it listened to them.
    if (this.#all.has(stream) && stream.marks.has(memberMark(stream.user)) && !isSame(before, stream.marks))
      this.#tellSoon([stream])
  }

  /** Whether something that the page shows may have changed after `since`. */
  #hasMissed({ marks }: Stream, since: string): boolean {
    const seen = this.#positions.open(since)
    if (seen === null) return true // of another process, or from before this one listened
    if (seen === this.#count) return false
    if ((this.#recent[0]?.number ?? Infinity) > seen + 1) return true
    return this.#recent.some(
      (each) => each.number > seen && each.marks.some((mark) => mark === ANYTHING || marks.has(mark)),
    )
  }

  #tellSoon(streams: Iterable<Stream>): void {
    for (const stream of streams) this.#waiting.add(stream)
    if (this.#waiting.size > 0 && !this.#isClosed) this.#telling ??= setTimeout(() => this.#tellGroup(), 0)
  }

  #tellGroup(): void {
    const most = Math.max(LEAST_GROUP, Math.ceil(this.#waiting.size / GROUPS))
    const text = CHANGED + this.#idLine()
    let told = 0
    for (const stream of this.#waiting) {
      if (stream.doubt !== 'none' || !stream.out) continue
      this.#waiting.delete(stream)
      stream.out.send(text)
      if (++told === most) break
    }
    this.#telling = undefined
    if (this.#waiting.size > 0) this.#telling = setTimeout(() => this.#tellGroup(), GROUP_MS)
  }

  #sendBeat(): void {
    const now = Date.now()
    const text = `event: still\ndata: still\n${this.#idLine()}`
    for (const stream of this.#all) {
      // A session that has ended ends its pages' streams; one that was used meanwhile lets them come back.
      if (stream.until < now) this.#end(stream)
      else if (!this.#waiting.has(stream)) stream.out?.send(text)
    }
  }

  /** An event that is nothing but a position. */
  #idLine(): string {
    return `id: ${this.positionAt(this.#count)}\n\n`
  }
}

/** How long a page waits before it comes back, at least. */
const RETRY_MS = 1000

/** The event, without its position. It says nothing more, because the page fetches what it may see. */
const CHANGED = 'data: changed\n'

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((each) => other.has(each))
}
