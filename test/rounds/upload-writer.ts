import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UnsavedFile, PileChange } from '../../src/uploads/unsaved/unsaved-pile.ts'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import type { FileOwner } from '../../src/access/reader.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { chanceOf, type Chance } from '../chance.ts'

/** The projects and people that can be uploaded to. */
export type Office = {
  projects: { id: number; number: string; folders: Record<string, number> }[]
  people: { id: number; number: string }[]
}

/** The server as a writer sees it: at an address, or about to start. */
export type Line = {
  readonly url: Promise<string>
  /** Called for every call as it is sent. */
  hear: (kind: Kind) => void
}
export type Kind = 'upload' | 'piece' | 'keep' | 'submit'

export type SentFile = {
  name: string
  /** A folder, or the person whose own folder it is. */
  where: { folder: number } | { person: number }
  bytes: number
  sha256: string
  hashName: string
}
export type Form = { key: string; userId: number; address: string; files: SentFile[] }

export type Counts = {
  uploads: number
  largeUploads: number
  resumed: number
  /** Resumed where the server had a part of a piece that was never acknowledged. */
  resumedInAPiece: number
  bytes: number
  /** Piles that were kept before they were saved, or never were. */
  kept: number
  acknowledged: number
  /** Forms that were sent again after they were acknowledged, or twice at once. */
  repeated: number
  /** Forms that replaced a file. */
  replaced: number
  /** Forms without an answer, by their state before they were sent again. */
  unanswered: { whole: number; absent: number }
}

type Options = {
  userId: number
  headers: Record<string, string>
  line: Line
  office: Office
  seed: number
  /** Counts a form's stored files, and those that are still waiting. */
  look: (form: Form) => Promise<{ stored: number; waiting: number }>
  /** Finds a file that a form has stored; without it, nothing is replaced. */
  find?: (form: Form, name: string) => Promise<{ id: number; owner: FileOwner }>
}

type Sending = { body?: BodyInit; headers?: Record<string, string>; patienceMs?: number }
type Answer = { status: number; headers: Headers; body: unknown }

const PIECE_BYTES = 2_000_000
const PATIENCE_MS = 60_000
// Every file is a part of this pool. Each begins at another place, so a byte at the wrong place is noticed.
const POOL = randomBytes(7_000_000)

/** An employee who uploads and saves, one thing after the other, whatever happens to the server. */
export class UploadWriter {
  counts: Counts = {
    uploads: 0,
    largeUploads: 0,
    resumed: 0,
    resumedInAPiece: 0,
    bytes: 0,
    kept: 0,
    acknowledged: 0,
    repeated: 0,
    replaced: 0,
    unanswered: { whole: 0, absent: 0 },
  }
  faults: string[] = []
  /** The acknowledged forms. */
  forms: Form[] = []
  /** Files that were acknowledged and never saved. */
  left: SentFile[] = []
  #options: Options
  #chance: Chance
  #number = 0

  get userId(): number {
    return this.#options.userId
  }

  constructor(options: Options) {
    this.#options = options
    this.#chance = chanceOf(options.seed)
  }

  /** Writes until `isOver`, and finishes what it has begun. */
  async writeUntil(isOver: () => boolean): Promise<void> {
    const waiting: Form[] = []
    try {
      while (!isOver()) {
        const form = this.#plan()
        await this.#send(form)
        await this.#keep(form)
        if (this.#chance.number(12) === 0) this.left.push(...form.files)
        else waiting.push(form)
        // Some forms wait for a while, so that a restart may come before they are saved.
        if (waiting.length > this.#chance.number(4)) await this.#saveAndReplace(waiting.shift()!)
      }
      for (const form of waiting) await this.#save(form)
    } catch (error) {
      this.faults.push(`user ${this.#options.userId} gave up: ${String(error)}`)
    }
  }

  /** Saves a form, and replaces one of its files now and then. */
  async #saveAndReplace(form: Form): Promise<void> {
    await this.#save(form)
    const { find } = this.#options
    if (!find || this.#chance.number(3) > 0) return
    const { name, where } = this.#chance.of(form.files)
    const { id, owner } = await find(form, name)
    const files = [{ name, where, bytes: 0, sha256: '', hashName: '' }]
    const next = { ...form, key: randomUUID(), address: fileUrls.replace(owner, id), files }
    await this.#send(next)
    await this.#save(next)
    this.counts.replaced++
  }

  #plan(): Form {
    const { userId, office } = this.#options
    const chance = this.#chance
    const kind = chance.number(4)
    const { id, folders } = chance.of(office.projects)
    const [folderName, folder] = chance.of(Object.entries(folders))
    const files = Array.from({ length: 1 + chance.number(4) }, (): SentFile => {
      const rest = `${userId}-${++this.#number} 2025.pdf`
      const blank = { bytes: 0, sha256: '', hashName: '' }
      if (kind === 0) return { ...blank, name: `${folderName} ${rest}`, where: { folder } }
      if (kind === 1) {
        const person = chance.of(office.people)
        return { ...blank, name: `Årsopgørelse (${person.number}) ${rest}`, where: { person: person.id } }
      }
      const project = chance.of(office.projects)
      const [name, at] = chance.of(Object.entries(project.folders))
      return { ...blank, name: `${name} (${project.number}) ${rest}`, where: { folder: at } }
    })
    const address = [urls.uploadTo(id, folder), urls.uploadToUsers][kind] ?? urls.upload
    return { key: randomUUID(), userId, address, files }
  }

  async #send({ files }: Form): Promise<void> {
    const [first, ...rest] = files
    const isLarge = this.#chance.number(3) === 0
    if (isLarge) await this.#sendInPieces(first!)
    const small = isLarge ? rest : files
    if (small.length > 0) await this.#sendWhole(small)
  }

  #fill(file: SentFile, size: number): Buffer<ArrayBuffer> {
    const from = this.#chance.number(POOL.length - size)
    const bytes = Buffer.concat([Buffer.from(`%PDF-1.7 ${file.name}\n`), POOL.subarray(from, from + size)])
    file.bytes = bytes.length
    file.sha256 = createHash('sha256').update(bytes).digest('hex')
    return bytes
  }

  async #sendWhole(files: SentFile[]): Promise<void> {
    const form = new FormData()
    files.forEach((file, index) => {
      form.set(`files[${index}]`, new Blob([this.#fill(file, this.#chance.number(80_000))]), file.name)
    })
    for (;;) {
      const answer = await this.#call('upload', 'POST', urls.temporaryUpload, { body: form })
      if (!answer) continue
      if (answer.status !== 200) throw unexpected('an upload', answer)
      const got = answer.body as TemporaryFile[]
      files.forEach((file, index) => {
        file.hashName = got[index]!.hash_name
        if (got[index]!.name !== file.name || got[index]!.size !== file.bytes)
          this.faults.push(`${file.name} was acknowledged as ${JSON.stringify(got[index])}`)
      })
      this.#uploaded('uploads', files)
      return
    }
  }

  async #sendInPieces(file: SentFile): Promise<void> {
    const bytes = this.#fill(file, 3_000_000 + this.#chance.number(3_000_000))
    const path = await this.#announce(file)
    file.hashName = path.split('/').at(-1)!
    for (let offset = 0; offset < bytes.length;) {
      const end = Math.min(offset + PIECE_BYTES, bytes.length)
      const answer = await this.#call('piece', 'PATCH', path, {
        body: bytes.subarray(offset, end),
        headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
      })
      const isTaken = answer?.status === 204
      if (answer && !isTaken && answer.status !== 409) throw unexpected(`a piece of ${file.name}`, answer)
      const now = isTaken ? offsetIn(answer) : await this.#offsetAfterAll(path)
      // A killed database may forget the last piece that it acknowledged; the next one is refused, and both are sent again.
      const isWrong = isTaken ? now !== end : answer ? now >= offset : now > end
      if (isWrong) this.faults.push(`${file.name}: ${offset} to ${end} were sent, ${now} are there`)
      if (!isTaken) this.counts.resumed++
      if (!answer && now > offset && now < end) this.counts.resumedInAPiece++
      offset = now
    }
    this.#uploaded('largeUploads', [file])
  }

  async #announce({ name, bytes }: SentFile): Promise<string> {
    const headers = {
      'upload-length': String(bytes),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    }
    for (;;) {
      const answer = await this.#call('upload', 'POST', urls.tus, { headers })
      if (answer?.status === 201) return answer.headers.get('location')!
      if (answer) throw unexpected(`announcing ${name}`, answer)
    }
  }

  async #offsetAfterAll(path: string): Promise<number> {
    for (;;) {
      const answer = await this.#call(null, 'HEAD', path)
      if (answer?.status === 200) return offsetIn(answer)
      if (answer) throw unexpected(`asking for ${path}`, answer)
    }
  }

  #uploaded(kind: 'uploads' | 'largeUploads', files: SentFile[]): void {
    this.counts[kind] += files.length
    for (const { bytes } of files) this.counts.bytes += bytes
  }

  /** Lets the server keep a form that is not saved yet, as a page does. */
  async #keep({ key, address, files }: Form): Promise<void> {
    const kept = files.map(({ name, bytes, hashName }, index) => [
      `f${index}`,
      {
        name,
        original: name,
        size: bytes,
        hash_name: hashName,
        choice: null,
        meaning: null,
        acknowledged: [],
      } satisfies UnsavedFile,
    ])
    const change = {
      form: address,
      pile: pileOf(key),
      publishing: { way: 'now', day: null, time: '09.00' },
      files: Object.fromEntries(kept) as PileChange['files'],
      gone: [],
    } satisfies PileChange
    for (;;) {
      const answer = await this.#call('keep', 'POST', urls.unsavedPile, {
        body: JSON.stringify(change),
        headers: { 'content-type': 'application/json' },
      })
      if (answer && answer.status !== 204) throw unexpected(`keeping ${key}`, answer)
      if (!answer) continue
      this.counts.kept++
      return
    }
  }

  /** Sends a form until it is acknowledged. Before each repetition, checks what is stored. */
  async #save(form: Form): Promise<void> {
    const chance = this.#chance
    for (;;) {
      const presses = chance.number(5) === 0 ? 2 : 1 // both at once
      const answers = await Promise.all(Array.from({ length: presses }, () => this.#submit(form)))
      if (answers.some(Boolean)) {
        this.counts.repeated += presses - 1
        break
      }
      const { stored, waiting } = await this.#options.look(form)
      const all = form.files.length
      if (stored === all && waiting === 0) this.counts.unanswered.whole++
      else if (stored === 0 && waiting === all) this.counts.unanswered.absent++
      else
        this.faults.push(`form ${form.key}: of ${all} files ${stored} are stored, ${waiting} still waiting`)
    }
    this.forms.push(form)
    this.counts.acknowledged++
    if (chance.number(4) === 0 && (await this.#submit(form))) this.counts.repeated++
  }

  async #submit({ key, address, files }: Form): Promise<boolean> {
    const entries = files.map(({ name, hashName, where }, index) => [
      `f${index}`,
      {
        name,
        data: hashName,
        ...('person' in where ? { user_id: where.person } : { folder_id: where.folder }),
      },
    ])
    // Some answers get lost.
    const patienceMs = this.#chance.number(6) === 0 ? 1 + this.#chance.number(100) : PATIENCE_MS
    const answer = await this.#call('submit', 'POST', address, {
      body: JSON.stringify({ submission: key, pile: pileOf(key), files: Object.fromEntries(entries) }),
      headers: { 'content-type': 'application/json' },
      patienceMs,
    })
    if (answer && answer.status !== 200) throw unexpected(`form ${key}`, answer)
    return answer !== null
  }

  /** Returns null if there was no answer, or one that promises nothing. */
  async #call(
    kind: Kind | null,
    method: string,
    path: string,
    { body, headers, patienceMs = PATIENCE_MS }: Sending = {},
  ): Promise<Answer | null> {
    const { line, headers: own } = this.#options
    const url = (await line.url) + path
    const began = performance.now()
    try {
      const reply = fetch(url, {
        method,
        headers: { ...own, 'tus-resumable': '1.0.0', ...headers },
        ...(body !== undefined && { body }),
        signal: AbortSignal.timeout(patienceMs),
      })
      if (kind) line.hear(kind)
      const { status, headers: said, ...more } = await readAll(await reply)
      if (status !== 503) return { status, headers: said, ...more }
    } catch (error) {
      if (performance.now() - began > PATIENCE_MS)
        throw new Error(`${method} ${path} hangs`, { cause: error })
    }
    await sleep(20)
    return null
  }
}

async function readAll(reply: Response): Promise<Answer> {
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, body: text === '' ? null : JSON.parse(text) }
}

/** A form's pile has the beginning of its key for a name. */
const pileOf = (key: string) => key.replaceAll('-', '').slice(0, 16)

const offsetIn = ({ headers }: Answer) => Number(headers.get('upload-offset') ?? NaN)

const unexpected = (what: string, { status, body }: Answer) =>
  new Error(`${what} was answered ${status} ${JSON.stringify(body)}`)
