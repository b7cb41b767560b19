import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileUrls, urls } from '../../src/urls.ts'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import { Caller } from './caller.ts'
import { chanceOf, type Chance } from '../chance.ts'
import type { Answer } from '../neighbours/nginx.ts'

/** A file that the server acknowledged, and where it said the file is. */
export type KeptFile = { id: number; name: string; sha256: string; folder: number; isDeleted: boolean }

export type LoadCounts = {
  uploads: number
  pieces: number
  resumed: number
  submissions: number
  moves: number
  deletions: number
  signIns: number
  signOuts: number
  invitations: number
  releases: number
  /** Calls that got no answer, or a 502, 503, 504 or 507, and were repeated. */
  unanswered: number
  /** Acknowledged pieces of unfinished uploads that had to be sent again: a killed database may forget them (decision 19). */
  forgotten: number
}

type Options = {
  caller: Caller
  email: string
  project: number
  folders: number[]
  seed: number
  /** Lists the files of a form, in the order of their names. */
  idsOf: (submission: string) => Promise<{ id: number; name: string }[]>
  /** The people to invite; null if this client may not invite. */
  invitees: { id: number; email: string }[] | null
  /** Finds the release of a form. Without it, this client publishes nothing. */
  releaseOf?: (submission: string) => Promise<number>
  /** The longest pause between two acts. */
  pauseMs?: number
  /** One upload in this many has a file of several pieces. */
  largeOneIn?: number
  /** May be signed out, as after a jump of the clock, and then signs in again. Otherwise that is a fault. */
  mayBeSignedOut?: boolean
}

const PIECE = 2_000_000
const POOL = randomBytes(6_000_000)
const PATIENCE_MS = 240_000
/** It is unknown whether the call was done. */
const TRY_AGAIN = new Set([502, 503, 504, 507])

/** An employee who does one thing after the other, and remembers everything that was acknowledged. */
export class LoadClient {
  counts: LoadCounts = {
    uploads: 0,
    pieces: 0,
    resumed: 0,
    submissions: 0,
    moves: 0,
    deletions: 0,
    signIns: 0,
    signOuts: 0,
    invitations: 0,
    releases: 0,
    unanswered: 0,
    forgotten: 0,
  }
  /** How the unanswered calls failed. */
  reasons: string[] = []
  kept: KeptFile[] = []
  /** The cookies of ended sessions. */
  endedSessions: string[] = []
  invited: string[] = []
  /** The releases that were published. */
  published: number[] = []
  faults: string[] = []
  #options: Options
  #chance: Chance
  #number = 0

  get project(): number {
    return this.#options.project
  }

  constructor(options: Options) {
    this.#options = options
    this.#chance = chanceOf(options.seed)
  }

  async workUntil(isOver: () => boolean): Promise<void> {
    const { email, pauseMs = 0 } = this.#options
    try {
      while (!isOver()) {
        await this.#doSomething()
        if (pauseMs > 0) await sleep(this.#chance.number(pauseMs))
      }
    } catch (error) {
      this.faults.push(`${email} gave up: ${String(error)}`)
    }
  }

  #doSomething(): Promise<unknown> {
    const what = this.#chance.number(10)
    const [file] = this.kept.filter(({ isDeleted }) => !isDeleted).slice(this.#chance.number(5))
    if (this.#options.invitees && what < 5) return this.#invite()
    if (what === 0) return this.#signOutAndIn()
    if (what < 3 && file) return this.#move(file)
    if (what === 3 && file) return this.#delete(file)
    if (what === 4 && this.#options.releaseOf) return this.#publish(this.#options.releaseOf)
    return this.#upload()
  }

  async #publish(releaseOf: (submission: string) => Promise<number>): Promise<void> {
    const release = await releaseOf(await this.#upload('draft'))
    const publish = (caller: Caller) => caller.json(urls.releaseAct(release, 'publish'), {})
    // If it was published but the answer was lost, it cannot be published again.
    const first = await this.#try(publish)
    if (!first) await this.#until(publish, [200, 409])
    else if (first.status !== 200) throw unexpected('publishing', first)
    this.published.push(release)
    this.counts.releases++
  }

  /** Returns the key of the form. */
  async #upload(way: 'now' | 'draft' = 'now'): Promise<string> {
    const { folders, project, email, largeOneIn = 3 } = this.#options
    const folder = this.#chance.of(folders)
    const files = Array.from({ length: 1 + this.#chance.number(3) }, () => {
      const name = `Bilag ${email.split('@')[0]} ${++this.#number}.pdf`
      return { name, bytes: this.#bytes(name, this.#chance.number(60_000)), hashName: '' }
    })
    if (this.#chance.number(largeOneIn) === 0) {
      const large = { name: files[0]!.name, size: 2_500_000 + this.#chance.number(3_000_000) }
      files[0]!.bytes = this.#bytes(large.name, large.size)
      files[0]!.hashName = await this.#sendInPieces(files[0]!.name, files[0]!.bytes)
    }
    const small = files.filter(({ hashName }) => hashName === '')
    if (small.length > 0) {
      const answer = await this.#until((caller) => caller.sendWhole(small), [200])
      const sent = JSON.parse(answer.body.toString()) as TemporaryFile[]
      small.forEach((file, index) => (file.hashName = sent[index]!.hash_name))
    }
    this.counts.uploads += files.length
    const submission = randomUUID()
    const entries = files.map(({ name, hashName }, index) => [
      `f${index}`,
      { name, data: hashName, folder_id: folder },
    ])
    const form = { submission, publish: way, files: Object.fromEntries(entries) as object }
    const save = (caller: Caller) => caller.json(urls.uploadTo(project, folder), form)
    const saved = await this.#until(save, this.#options.mayBeSignedOut ? [200, 422] : [200])
    // When the clock jumps by a day, files that wait to be saved are a day old, and are asked for again.
    if (saved.status === 422 && String(saved.body).includes('Send filen igen')) return this.#upload(way)
    if (saved.status !== 200) throw unexpected('saving', saved)
    this.counts.submissions++
    const ids = await this.#options.idsOf(submission)
    if (ids.length !== files.length)
      this.faults.push(`form ${submission} has ${ids.length} files instead of ${files.length}`)
    for (const { name, bytes } of files) {
      const id = ids.find((each) => each.name === name)?.id
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      if (id !== undefined) this.kept.push({ id, name, sha256, folder, isDeleted: false })
    }
    return submission
  }

  #bytes(name: string, size: number): Buffer {
    const from = this.#chance.number(POOL.length - size)
    return Buffer.concat([Buffer.from(`%PDF-1.7 ${name}\n`), POOL.subarray(from, from + size)])
  }

  async #sendInPieces(name: string, bytes: Buffer): Promise<string> {
    const announced = await this.#until((caller) => caller.announce(name, bytes.length), [201])
    const path = String(announced.headers.location)
    for (let offset = 0; offset < bytes.length;) {
      const piece = bytes.subarray(offset, offset + PIECE)
      const answer = await this.#try((caller) => caller.sendPiece(path, offset, piece))
      if (answer?.status === 204) {
        this.counts.pieces++
        offset = Number(answer.headers['upload-offset'])
        continue
      }
      const isForgotten = (status?: number) => status === 404 && this.#options.mayBeSignedOut
      if (isForgotten(answer?.status)) return this.#sendInPieces(name, bytes) // a day old, as above
      if (answer && answer.status !== 409) throw unexpected(`a piece of ${name}`, answer)
      const asked = await this.#until((caller) => caller.askOffset(path), [200, 404])
      if (isForgotten(asked.status)) return this.#sendInPieces(name, bytes)
      if (asked.status !== 200) throw unexpected(`asking for ${name}`, asked)
      const now = Number(asked.headers['upload-offset'])
      if (now < offset) this.counts.forgotten++
      this.counts.resumed++
      offset = now
    }
    return path.split('/').at(-1)!
  }

  async #move(file: KeptFile): Promise<void> {
    const { project, folders } = this.#options
    const to = this.#chance.of(folders.filter((folder) => folder !== file.folder))
    const fields = { file_id: file.id, folder_id: to }
    await this.#until((caller) => caller.json(urls.moveFile(project), fields), [200])
    file.folder = to
    this.counts.moves++
  }

  async #delete(file: KeptFile): Promise<void> {
    const { project } = this.#options
    const remove = (caller: Caller) => caller.json(fileUrls.file({ project }, file.id), {}, 'DELETE')
    // If it was deleted but the answer was lost, the next attempt does not find it.
    const first = await this.#try(remove)
    if (!first) await this.#until(remove, [200, 404])
    else if (first.status !== 200) throw unexpected(`deleting ${file.name}`, first)
    file.isDeleted = true
    this.counts.deletions++
  }

  async #invite(): Promise<void> {
    const person = this.#options.invitees!.shift()
    if (!person) return sleep(200)
    await this.#until((caller) => caller.json(urls.inviteUser(person.id), {}), [200])
    this.invited.push(person.email)
    this.counts.invitations++
  }

  async #signOutAndIn(): Promise<void> {
    const { caller, email } = this.#options
    const cookie = caller.headers.cookie!
    await this.#until((each) => each.json(urls.logout, {}), [200])
    this.endedSessions.push(cookie)
    this.counts.signOuts++
    await this.#until((each) => each.signIn(email), [200])
    this.counts.signIns++
  }

  /** Repeats a call until it gets one of the wanted statuses. */
  async #until(call: (caller: Caller) => Promise<Answer>, wanted: number[]): Promise<Answer> {
    const until = performance.now() + PATIENCE_MS
    while (performance.now() < until) {
      const answer = await this.#try(call)
      if (answer && wanted.includes(answer.status)) return answer
      if (answer) throw unexpected('a call', answer)
    }
    throw new Error('nobody answers')
  }

  /** Returns null if the call is to be repeated: no answer, or one that promises nothing. */
  async #try(call: (caller: Caller) => Promise<Answer>): Promise<Answer | null> {
    const { caller, email, mayBeSignedOut = false } = this.#options
    try {
      const answer = await call(caller)
      const isSignedOut = mayBeSignedOut && [401, 403].includes(answer.status)
      if (isSignedOut) await caller.signIn(email)
      else if (!TRY_AGAIN.has(answer.status)) return answer
      this.reasons.push(String(answer.status))
    } catch (error) {
      if (String(error).includes('hangs')) throw error
      this.reasons.push((error as NodeJS.ErrnoException).code ?? String(error))
    }
    this.counts.unanswered++
    await sleep(50)
    return null
  }
}

const unexpected = (what: string, { status, body }: Answer) =>
  new Error(`${what} was answered ${status} ${body.toString().slice(0, 300)}`)
