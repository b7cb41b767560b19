import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { addSession } from '../../src/accounts/session/sessions.db.ts'
import type { Page } from '../../src/base/pagination.ts'
import type { StoredFile } from '../../src/files/file/stored-file.ts'
import type { Database } from '../../src/server/database/database.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { chanceOf, type Chance } from '../chance.ts'
import { foldersByName, makeProject, makeUser } from '../make.ts'
import { UploadWriter, type Form, type Office } from './upload-writer.ts'

type Person = { userId: number; headers: Record<string, string> }
const ACTS = ['move', 'delete', 'restore', 'remove', 'up', 'rename'] as const
type Act = (typeof ACTS)[number]

export type WorkingOffice = {
  /** Counts what was acknowledged so far. */
  counts: () => { uploads: number; bytes: number; forms: number; acts: Record<Act, number> }
  /** Ends the work and returns the answers that are wrong even while a copy is made. */
  stop: () => Promise<string[]>
}

/** Lets people upload, save, move, delete, restore, remove for good and rename, until they are stopped. */
export async function startWorking(
  db: Database,
  url: string,
  people: number,
  seed: number,
): Promise<WorkingOffice> {
  const office = await furnish(db)
  let isOver = false
  const acts = Object.fromEntries(ACTS.map((act) => [act, 0])) as Record<Act, number>
  const faults: string[] = []
  const line = { url: Promise.resolve(url), hear: () => undefined }
  const look = (form: Form) => lookFor(db, form)
  const writers: UploadWriter[] = []
  const work: Promise<void>[] = []
  for (let index = 0; index < people; index++) {
    const person = await enter(db, url)
    const writer = new UploadWriter({ ...person, line, office, look, seed: seed + index })
    writers.push(writer)
    work.push(
      writer.writeUntil(() => isOver),
      changeUntil(url, person, office, chanceOf(seed + 100 + index), () => isOver, acts, faults),
    )
  }
  const sum = (of: (writer: UploadWriter) => number) => writers.reduce((all, each) => all + of(each), 0)
  return {
    counts: () => ({
      uploads: sum(({ counts }) => counts.uploads + counts.largeUploads),
      bytes: sum(({ counts }) => counts.bytes),
      forms: sum(({ counts }) => counts.acknowledged),
      acts: { ...acts },
    }),
    async stop() {
      isOver = true
      await Promise.all(work)
      return [...faults, ...writers.flatMap((writer) => writer.faults)]
    },
  }
}

async function furnish(db: Database): Promise<Office> {
  const office: Office = { projects: [], people: [] }
  for (let count = 0; count < 3; count++) {
    const { id, number } = await makeProject(db)
    office.projects.push({ id, number, folders: await foldersByName(db, id) })
  }
  for (const number of ['7001', '7002']) {
    const { id } = await makeUser(db, { numbers: [number] })
    office.people.push({ id, number })
  }
  return office
}

async function enter(db: Database, url: string): Promise<Person> {
  const { id } = await makeUser(db, { role: 'administrator' })
  const session = await db.transaction().execute((trx) => addSession(trx, id, 'test'))
  const page = await fetch(`${url}/findes-ikke`, { headers: { cookie: `session=${session}` } })
  const token = /XSRF-TOKEN=([^;]+)/.exec(page.headers.getSetCookie().join())![1]!
  const headers = {
    accept: 'application/json',
    cookie: `session=${session}; XSRF-TOKEN=${token}`,
    'x-requested-with': 'XMLHttpRequest',
    'x-xsrf-token': decodeURIComponent(token),
  }
  return { userId: id, headers }
}

/** Looks for a form. Its files may be removed by now, so a form that is there counts as whole. */
async function lookFor(
  db: Database,
  { key, userId, files }: Form,
): Promise<{ stored: number; waiting: number }> {
  const { rows } = await sql`select from submissions where key = ${key} and user_id = ${userId}`.execute(db)
  return rows.length > 0 ? { stored: files.length, waiting: 0 } : { stored: 0, waiting: files.length }
}

/** Changes files that other people have uploaded. */
async function changeUntil(
  url: string,
  { headers }: Person,
  office: Office,
  chance: Chance,
  isOver: () => boolean,
  acts: Record<Act, number>,
  faults: string[],
): Promise<void> {
  const call = async (method: string, path: string, body?: object) => {
    const reply = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await reply.text()
    if (![200, 404, 409].includes(reply.status))
      faults.push(`${method} ${path} answered ${reply.status} ${text}`)
    return reply.status === 200 ? (JSON.parse(text) as unknown) : null
  }
  while (!isOver()) {
    const { id: project, folders } = chance.of(office.projects)
    const owner = { project }
    const all = Object.values(folders)
    const act = chance.of(ACTS)
    try {
      if (act === 'rename') {
        const [name, folder] = chance.of(Object.entries(folders))
        const body = {
          name,
          sub_names: [`${name} ${chance.number(1000)}`],
          visible_to_investors: chance.number(2) === 0,
        }
        if (await call('POST', urls.folder(urls.projectFolders(project), folder), body)) acts.rename++
      } else {
        const isDeleted = act === 'restore' || act === 'remove'
        const path = isDeleted ? fileUrls.trash(owner) : fileUrls.list(owner, chance.of(all))
        const files = ((await call('GET', path)) as Page<StoredFile> | null)?.data ?? []
        if (files.length > 0) {
          const file = chance.of(files).id
          const done = await {
            move: () => call('POST', urls.moveFile(project), { file_id: file, folder_id: chance.of(all) }),
            delete: () => call('DELETE', fileUrls.file(owner, file)),
            restore: () => call('POST', fileUrls.restore(owner, file)),
            remove: () => call('DELETE', fileUrls.deleted(owner, file)),
            up: () => call('POST', fileUrls.moveUp(owner, file)),
          }[act]()
          if (done) acts[act]++
        }
      }
    } catch (error) {
      faults.push(`${act}: ${String(error)}`)
    }
    await sleep(20 + chance.number(60)) // gives the uploads a turn
  }
}
