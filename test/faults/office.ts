import { get, type ClientRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { changesOf, fileUrls, urls } from '../../src/urls.ts'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import { Caller, type Way } from '../load/caller.ts'
import { LoadClient } from '../load/instance-load.ts'
import { idsOf, releaseOf } from '../load/ledger.ts'
import { foldersByName, makeProject, makeUser } from '../make.ts'
import { directly, NAME, type Answer } from '../neighbours/nginx.ts'
import { Meter, MOST_WAIT_MS } from './meter.ts'
import type { Place } from './place.ts'

const WRITERS = 4
const READERS = 2
const STREAMS = 12
const INVITEES = 400

/** People at work: some write, some read, and pages listen for changes. */
export class Office {
  meter = new Meter()
  clients: LoadClient[] = []
  streams: LiveStream[] = []
  /** Calls that count for nobody: to look after a fault. */
  inspector: Caller
  #prober: Caller
  #readers: Caller[] = []
  /** A person who has no connection yet. */
  #newcomer: Way
  #folders: number[] = []
  #isOver = true
  #work: Promise<unknown>[] = []

  /** An office whose people call by `way`; somebody new comes to `port`. */
  constructor(way: Way, port: number) {
    this.#newcomer = this.meter.around(() => openLogin(port))
    const metered = this.meter.around(way)
    this.inspector = new Caller(way)
    this.#prober = new Caller(metered)
    for (let count = 0; count < READERS; count++) this.#readers.push(new Caller(metered))
  }

  static async open(place: Place, seed: number): Promise<Office> {
    const { db, port } = place
    const office = new Office(directly(port), port)
    for (let number = 0; number < WRITERS; number++) {
      const email = `skriver${number}@example.dk`
      const isAdmin = number === 0
      await makeUser(db, { role: isAdmin ? 'administrator' : 'employee', email })
      const { id: project } = await makeProject(db)
      const caller = new Caller(office.meter.around(directly(port)))
      await signIn(caller, email)
      const invitees: { id: number; email: string }[] = []
      for (let guest = 0; guest < (isAdmin ? INVITEES : 0); guest++)
        invitees.push(await makeUser(db, { email: `gaest${guest}@example.dk`, passwordHash: null }))
      office.#folders = Object.values(await foldersByName(db, project))
      office.clients.push(
        new LoadClient({
          caller,
          email,
          project,
          folders: office.#folders,
          seed: seed + number,
          idsOf: (submission) => idsOf(db, submission),
          releaseOf: (submission) => releaseOf(db, submission),
          invitees: isAdmin ? invitees : null,
          pauseMs: 400,
          largeOneIn: 8,
          mayBeSignedOut: place.setClock !== null,
        }),
      )
    }
    await makeUser(db, { role: 'administrator', email: READER })
    await office.signInReaders()
    for (let count = 0; count < STREAMS; count++) {
      const { project } = office.clients[count % WRITERS]!
      office.streams.push(new LiveStream(port, project, () => office.inspector.headers.cookie!))
    }
    return office
  }

  /** Needed also after a jump of the clock that has ended their sessions. */
  async signInReaders(): Promise<void> {
    for (const caller of [this.inspector, this.#prober, ...this.#readers]) await signIn(caller, READER)
  }

  start(): void {
    this.#isOver = false
    const isOver = () => this.#isOver
    this.#work = [
      ...this.clients.map((client) => client.workUntil(isOver)),
      ...this.#readers.map((reader) => this.#readUntil(reader, isOver)),
      this.#comeUntil(isOver),
    ]
    for (const stream of this.streams) stream.open()
  }

  /** Ends the work. Everybody finishes their current act. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#work)
    for (const stream of this.streams) stream.close()
  }

  /** Whether a page is shown and a file is taken. */
  async probe(): Promise<boolean> {
    try {
      const page = await this.#prober.page(urls.projects)
      const bytes = Buffer.from('%PDF-1.7 prøve')
      const sent = await this.#prober.sendWhole([{ name: 'Prøve.pdf', bytes }])
      if (page.status !== 200 || sent.status !== 200) return false
      const [file] = JSON.parse(sent.body.toString()) as TemporaryFile[]
      await this.#prober.call('DELETE', urls.temporaryFile(file!.hash_name))
      return true
    } catch {
      return false
    }
  }

  async #readUntil(reader: Caller, isOver: () => boolean): Promise<void> {
    for (let round = 0; !isOver(); round++) {
      const { project } = this.clients[round % this.clients.length]!
      const look = [
        () => reader.page(urls.projects),
        () => reader.call('GET', fileUrls.list({ project }, this.#folders[round % this.#folders.length]!)),
        () => reader.page(urls.files(project)),
      ][round % 3]!
      await look().catch(() => undefined) // the meter has heard it
      await sleep(100)
    }
  }

  async #comeUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#newcomer('GET', urls.login).catch(() => undefined)
      await sleep(500)
    }
  }
}

/** Opens the first page over a new connection. */
function openLogin(port: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: urls.login, agent: false, headers: { host: NAME } }
    const call = get(options, (reply) => {
      const told = { status: reply.statusCode!, headers: reply.headers }
      buffer(reply).then((body) => resolve({ ...told, body }), reject)
    })
    call.setTimeout(MOST_WAIT_MS, () => call.destroy(new Error('the first page hangs'))).once('error', reject)
  })
}

const READER = 'laeser@example.dk'

async function signIn(caller: Caller, email: string): Promise<void> {
  const { status, body } = await caller.signIn(email)
  if (status !== 200) throw new Error(`${email} cannot sign in: ${status} ${body.toString().slice(0, 300)}`)
}

/** A page that listens for changes, and asks again after a moment when the stream ends, as a browser does. */
export class LiveStream {
  events = 0
  #port: number
  #project: number
  #cookie: () => string
  #call: ClientRequest | undefined
  #isOpen = false

  constructor(port: number, project: number, cookie: () => string) {
    this.#port = port
    this.#project = project
    this.#cookie = cookie
  }

  open(): void {
    this.#isOpen = true
    this.#listen()
  }

  close(): void {
    this.#isOpen = false
    this.#call?.destroy()
  }

  #listen(): void {
    const again = () => {
      if (!this.#isOpen || this.#call !== call) return
      this.#call = undefined
      setTimeout(() => this.#isOpen && !this.#call && this.#listen(), AGAIN_MS)
    }
    const headers = {
      host: NAME,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      accept: 'text/event-stream',
      cookie: this.#cookie(),
    }
    const options = {
      host: '127.0.0.1',
      port: this.#port,
      path: changesOf(`project:${this.#project}`),
      headers,
    }
    const call = get({ ...options, agent: false }, (reply) => {
      reply.on('data', (text: Buffer) => {
        if (reply.statusCode === 200 && /^data: (?!still)/m.test(text.toString())) this.events++
      })
      reply.once('close', again).on('error', () => undefined)
    })
    call.once('close', again).on('error', () => undefined)
    this.#call = call
  }
}

const AGAIN_MS = 1000
