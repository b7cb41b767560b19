import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  request as httpRequest,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { addSession } from '../../src/accounts/session/sessions.db.ts'
import type { Page } from '../../src/base/pagination.ts'
import type { StoredFile } from '../../src/files/file/stored-file.ts'
import type { CompanyReport } from '../../src/report/company/company.ts'
import type { Ringbind } from '../../src/start.ts'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import type { Chance } from '../chance.ts'
import { foldersByName, makeProject, makeUser } from '../make.ts'

export type Headers = Record<string, string>
type Person = { userId: number; headers: Headers }
export type OfficeSetup = { people: Person[]; project: number; folders: number[]; investor: number }

/** The place of a paper, as far as the office knows. */
type Place = { folder: number; isDeleted: boolean }

/** A paper that is being sent or is stored: the acknowledged state, and unanswered calls. */
export type Paper = {
  name: string
  /** The sender's headers. */
  headers: Headers
  bytes: Buffer<ArrayBuffer> | null
  sha256: string
  submission: string
  folder: number
  /** The address for its pieces; null if it is sent in one call. */
  path: string | null
  hashName: string | null
  /** How many bytes were acknowledged, and how many were sent at most. */
  acknowledged: number
  sent: number
  place: Place | null
  asked: Place | null
}

/** Everything that was acknowledged up to one moment. */
export type Acknowledgements = {
  papers: Paper[]
  report: { names: string[]; asked: string[] | null }
  image: { address: string | null; isAsked: boolean }
}

export type Acts = Record<
  'pieces' | 'broken' | 'batches' | 'forms' | 'moves' | 'deletes' | 'restores' | 'reports' | 'images',
  number
>

export async function furnish({ db, url }: Ringbind): Promise<OfficeSetup> {
  const { id: project } = await makeProject(db)
  const folders = Object.values(await foldersByName(db, project)).slice(0, 4)
  const { id: investor } = await makeUser(db)
  const people: Person[] = []
  while (people.length < 7) {
    const { id } = await makeUser(db, { role: 'administrator' })
    const session = await db.transaction().execute((trx) => addSession(trx, id, 'test'))
    const page = await fetch(`${url}/findes-ikke`, { headers: { cookie: `session=${session}` } })
    const token = /XSRF-TOKEN=([^;]+)/.exec(page.headers.getSetCookie().join())![1]!
    const headers = {
      accept: 'application/json',
      cookie: `session=${session}; XSRF-TOKEN=${token}`,
      'x-requested-with': 'XMLHttpRequest',
      'x-xsrf-token': decodeURIComponent(token),
      'tus-resumable': '1.0.0',
    }
    people.push({ userId: id, headers })
  }
  return { people, project, folders, investor }
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const PIECE = 'application/offset+octet-stream'

type Answer = { status: number; headers: IncomingHttpHeaders; body: unknown }

/** Opens a connection per call: after a pause the server would close one that is kept. */
export async function call(
  url: string,
  headers: Headers,
  method: string,
  path: string,
  body?: Uint8Array<ArrayBuffer> | FormData | object,
): Promise<Answer> {
  const isJson = body !== undefined && !(body instanceof FormData || ArrayBuffer.isView(body))
  const sent = new Response(isJson ? JSON.stringify(body) : ((body as BodyInit | undefined) ?? null))
  const type = isJson ? 'application/json' : sent.headers.get('content-type')
  const bytes = Buffer.from(await sent.arrayBuffer())
  const sending = httpRequest(url + path, {
    method,
    agent: false,
    headers: {
      ...(type && { 'content-type': type }),
      ...(body !== undefined && { 'content-length': bytes.length }),
      ...headers,
    },
  })
  sending.end(bytes)
  const response = await answerTo(sending)
  const text = (await buffer(response)).toString()
  const isText = response.headers['content-type']?.startsWith('application/json') && text !== ''
  return {
    status: response.statusCode!,
    headers: response.headers,
    body: isText ? JSON.parse(text) : text.length,
  }
}

function answerTo(sending: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => void sending.on('error', reject).on('response', resolve))
}

export const sumOf = (bytes: Buffer) => `sha256 ${createHash('sha256').update(bytes).digest('base64')}`

export const formOf = ({ submission, name, hashName, folder }: Paper) => ({
  submission,
  files: { f0: { name, data: hashName, folder_id: folder } },
})

export const offsetIn = ({ headers }: Answer) => Number(headers['upload-offset'] ?? NaN)

/** People who send, save, move, delete, restore and report, one act after the other, and remember what was acknowledged. */
export class CutOffice {
  acts: Acts = {
    pieces: 0,
    broken: 0,
    batches: 0,
    forms: 0,
    moves: 0,
    deletes: 0,
    restores: 0,
    reports: 0,
    images: 0,
  }
  faults: string[] = []
  #papers: Paper[] = []
  #report: Acknowledgements['report'] = { names: [], asked: null }
  #image: Acknowledgements['image'] = { address: null, isAsked: false }
  #isOver = false
  #calls = 0
  #url: string
  #at: OfficeSetup
  #chance: Chance
  #working: Promise<unknown>

  constructor(url: string, at: OfficeSetup, chance: Chance) {
    this.#url = url
    this.#at = at
    this.#chance = chance
    const [one, two, three, four, five, six, seven] = at.people as [Person, ...Person[]]
    this.#working = Promise.all([
      this.#keepDoing(() => this.#sendInPieces(one)),
      this.#keepDoing(() => this.#sendInPieces(two!)),
      this.#keepDoing(() => this.#sendInPieces(three!)),
      this.#keepDoing(() => this.#sendBatch(four!)),
      this.#keepDoing(() => this.#change(five!)),
      this.#keepDoing(() => this.#saveReport(six!)),
      this.#keepDoing(() => this.#setImage(seven!)),
    ])
  }

  /** Copies what is acknowledged; called together with the cut. */
  acknowledged(): Acknowledgements {
    return structuredClone({ papers: this.#papers, report: this.#report, image: this.#image })
  }

  get calls(): number {
    return this.#calls
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#working
  }

  async #keepDoing(act: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      try {
        await act()
      } catch (error) {
        this.faults.push(`somebody gave up: ${String(error)}`)
        return
      }
    }
  }

  async #call({ headers }: Person, method: string, path: string, body?: FormData | object, status = 200) {
    this.#calls++
    const answer = await call(this.#url, headers, method, path, body)
    if (answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }

  #newPaper({ headers }: Person, size: number): Paper {
    const name = `Bilag ${randomUUID()}.pdf`
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(size)])
    return {
      name,
      headers,
      bytes,
      sha256: sha256(bytes),
      submission: randomUUID(),
      folder: this.#chance.of(this.#at.folders),
      path: null,
      hashName: null,
      acknowledged: 0,
      sent: 0,
      place: null,
      asked: null,
    }
  }

  /** Sends pieces that end in the middle of a block, and pauses within the next piece. */
  async #sendInPieces(person: Person): Promise<void> {
    const chance = this.#chance
    const paper = this.#newPaper(person, 6_000 + chance.number(60_000))
    const bytes = paper.bytes!
    const headers = {
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(paper.name).toString('base64')}`,
    }
    const announcing = { ...person, headers: { ...person.headers, ...headers } }
    const { headers: said } = await this.#call(announcing, 'POST', urls.tus, undefined, 201)
    paper.path = said.location!
    paper.hashName = paper.path.split('/').at(-1)!
    this.#papers.push(paper)
    const withSums = chance.number(2) === 0
    while (paper.acknowledged < bytes.length) {
      const from = paper.acknowledged
      const rest = bytes.length - from
      const to = chance.number(3) === 0 ? bytes.length : from + 1 + chance.number(rest)
      paper.sent = to
      const isWhole = await this.#sendPiece(person, paper, from, bytes.subarray(from, to), withSums)
      if (isWhole) paper.acknowledged = to
      else paper.acknowledged = offsetIn(await this.#call(person, 'HEAD', paper.path))
      this.acts[isWhole ? 'pieces' : 'broken']++
    }
    await this.#save(person, paper)
  }

  /** Returns whether the piece was acknowledged. Breaks some pieces off. */
  async #sendPiece(
    { headers }: Person,
    { path }: Paper,
    offset: number,
    piece: Buffer,
    withSum: boolean,
  ): Promise<boolean> {
    this.#calls++
    const chance = this.#chance
    const sending = httpRequest(this.#url + path, {
      method: 'PATCH',
      agent: false,
      headers: {
        ...headers,
        'content-type': PIECE,
        'upload-offset': offset,
        'content-length': piece.length,
        ...(withSum && { 'upload-checksum': sumOf(piece) }),
      },
    })
    const answered = answerTo(sending)
    answered.catch(() => undefined) // it may fail before anything awaits it
    const first = 1 + chance.number(piece.length)
    sending.write(piece.subarray(0, first))
    await sleep(chance.number(chance.of([5, 60, 400])))
    if (first < piece.length && chance.number(6) === 0) {
      sending.destroy()
      return false
    }
    sending.end(piece.subarray(first))
    // After a pause the server may close a connection in the middle of a call.
    const answer = await answered.catch(() => null)
    if (!answer) return false
    const { statusCode: status } = answer.resume()
    if (status !== 204) throw new Error(`a piece was answered ${status}`)
    return true
  }

  async #sendBatch(person: Person): Promise<void> {
    const papers = Array.from({ length: 1 + this.#chance.number(3) }, () =>
      this.#newPaper(person, 100 + this.#chance.number(this.#chance.of([5_000, 400_000]))),
    )
    const form = new FormData()
    papers.forEach(({ name, bytes, sha256: sum }, index) => {
      if (index % 2 === 0) form.set(`sha256[${index}]`, sum)
      form.set(`files[${index}]`, new Blob([bytes!]), name)
    })
    const { body } = await this.#call(person, 'POST', urls.temporaryUpload, form)
    papers.forEach((paper, index) => {
      paper.hashName = (body as TemporaryFile[])[index]!.hash_name
      this.#papers.push(paper)
    })
    this.acts.batches++
    for (const paper of papers) await this.#save(person, paper)
  }

  async #save(person: Person, paper: Paper): Promise<void> {
    paper.asked = { folder: paper.folder, isDeleted: false }
    await this.#call(person, 'POST', urls.uploadTo(this.#at.project, paper.folder), formOf(paper))
    paper.place = paper.asked
    paper.asked = null
    paper.bytes = null
    this.acts.forms++
  }

  async #change(person: Person): Promise<void> {
    const { project, folders } = this.#at
    const chance = this.#chance
    const owner = { project }
    await sleep(chance.number(60)) // gives the other people a turn
    const isDeleted = chance.number(3) === 0
    const path = isDeleted ? fileUrls.trash(owner) : fileUrls.list(owner, chance.of(folders))
    const { data } = (await this.#call(person, 'GET', path)).body as Page<StoredFile>
    const found = data.length > 0 ? chance.of(data) : null
    const paper = this.#papers.find(({ name, place, asked }) => name === found?.name && place && !asked)
    if (!found || !paper) return
    const act = isDeleted ? 'restores' : chance.of(['moves', 'deletes'] as const)
    const to = act === 'moves' ? chance.of(folders) : paper.place!.folder
    paper.asked = { folder: to, isDeleted: act === 'deletes' }
    if (act === 'moves')
      await this.#call(person, 'POST', urls.moveFile(project), { file_id: found.id, folder_id: to })
    else if (act === 'deletes') await this.#call(person, 'DELETE', fileUrls.file(owner, found.id))
    else await this.#call(person, 'POST', fileUrls.restore(owner, found.id))
    paper.place = paper.asked
    paper.asked = null
    this.acts[act]++
  }

  async #saveReport(person: Person): Promise<void> {
    const { investor } = this.#at
    await sleep(this.#chance.number(80))
    const { body } = await this.#call(person, 'GET', urls.readReport(investor))
    const names = Array.from({ length: 1 + this.#chance.number(5) }, () => `K/S ${randomUUID()}`)
    this.#report.asked = names
    const companies = Object.fromEntries(names.map((name, index) => [index, { name }]))
    const { version } = body as CompanyReport
    const sent = { version, rows: names.length, companies }
    await this.#call(person, 'POST', urls.report(investor), sent)
    this.#report = { names, asked: null }
    this.acts.reports++
  }

  async #setImage(person: Person): Promise<void> {
    await sleep(this.#chance.number(200))
    const background = { r: this.#chance.number(256), g: this.#chance.number(256), b: 9 }
    const image = await sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'a.png')
    this.#image.isAsked = true
    const { body } = await this.#call(person, 'POST', urls.profileImage, form)
    this.#image = { address: (body as { image: string }).image, isAsked: false }
    this.acts.images++
  }
}
