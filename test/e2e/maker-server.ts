import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { sql } from 'kysely'
import { dayOf } from '../../src/base/time/dates.ts'
import { addPageTexts } from '../../src/reading/page-texts.db.ts'
import { publishPlanned } from '../../src/releases/steps/publish-planned.db.ts'
import type { Parts } from '../../src/server/parts.ts'
import { handIn } from '../office/hand-in.ts'
import {
  foldersByName,
  makeFile,
  makeManyFiles,
  makeProject,
  makeReport,
  makeUser,
  PASSWORD,
} from '../make.ts'
import { expectPapers } from '../office/papers-of-year.ts'
import { makerOf } from './facts.ts'
import type { MadeProject, MadeUser, ProjectRequest, WantedIntake } from './maker.ts'

/** Starts a test-only server next to the office's: it makes data that no screen can make, or not quickly. */
export function startMaker({ db, storage, jobs }: Parts, port: number): void {
  const make = async (wanted: ProjectRequest): Promise<MadeProject> => {
    const {
      files = {},
      bytes = {},
      texts = {},
      name: called = 'K/S Prøve',
      cvr = null,
      extraFolders = 0,
      deleted = false,
      investor,
      hasAuditor,
      companies,
    } = wanted
    const number = `P${Math.floor(Math.random() * 1e9)}`
    const members = investor ? [(await makeUser(db, investor)).id] : []
    if (hasAuditor)
      members.push((await makeUser(db, { role: 'auditor', email: `${number}@revisor.example` })).id)
    const { id } = await makeProject(db, { number, name: called, cvr, members })
    for (let extra = 1; extra <= extraFolders; extra++)
      await db
        .insertInto('folders')
        .values({
          project_id: id,
          name: `Ekstra ${extra}`,
          sub_names: [],
          visible_to_investors: true,
          place: 100 + extra,
        })
        .execute()
    const folders = await foldersByName(db, id)
    for (const [folder, names] of Object.entries(files)) {
      if (typeof names === 'number') await makeManyFiles(db, folders[folder]!, names)
      else
        for (const name of names)
          await makeFile({ db, storage }, folders[folder]!, {
            name,
            ...(bytes[name] && { bytes: Buffer.from(bytes[name], 'base64') }),
          })
    }
    for (const [name, pages] of Object.entries(texts)) await putText(id, name, pages)
    if (deleted)
      await db
        .updateTable('files')
        .set({ deleted_at: new Date() })
        .where('folder_id', 'in', Object.values(folders))
        .execute()
    if (!companies) return { id, number, folders }
    const { id: user, email } = await makeUser(db, {
      name: 'Ina Investor',
      email: `${number}@ringbind.example`,
    })
    await makeReport(db, user, companies)
    return { id, number, folders, investor: { id: user, email, password: PASSWORD } }
  }
  const putText = async (project: number, name: string, pages: string[]) => {
    const { rows } = await sql<{ id: number }>`
      update texts set state = 'read', pages = ${pages.length} from blobs
        join files on files.blob_id = blobs.id join folders on folders.id = files.folder_id
      where folders.project_id = ${project} and files.name = ${name} and texts.sha256 = blobs.sha256
      returning texts.id`.execute(db)
    await addPageTexts(
      db,
      rows[0]!.id,
      pages.map((text, index) => ({ page: index + 1, text })),
    )
  }
  /** Knows what bytes say before they are sent: no process reads documents here. */
  const readAs = async ({ bytes, pages }: { bytes: string; pages: string[] }) => {
    const sha256 = createHash('sha256').update(Buffer.from(bytes, 'base64')).digest('hex')
    const { rows } = await sql<{ id: number }>`
      insert into texts (sha256, kind, state, pages) values (${sha256}, 'pdf', 'read', ${pages.length})
      on conflict (sha256) do update set state = 'read', pages = excluded.pages returning id`.execute(db)
    await addPageTexts(
      db,
      rows[0]!.id,
      pages.map((text, index) => ({ page: index + 1, text })),
    )
    return {}
  }
  const makePerson = async (fields: Parameters<typeof makeUser>[1]): Promise<MadeUser> => {
    const email = `person${Math.floor(Math.random() * 1e9)}@ringbind.example`
    return { ...(await makeUser(db, { email, ...fields })), password: PASSWORD }
  }
  /** Lets some folders of a project expect a paper each year; its files are of the year in their names. */
  const expectYearly = async ({ project, folders }: { project: number; folders: string[] }) => {
    const ids = await foldersByName(db, project)
    const today = dayOf(new Date(), 'Europe/Copenhagen')
    await expectPapers(
      db,
      folders.map((name) => ids[name]!),
      { rhythm: 'year', from: '2020' },
      today,
    )
    return {}
  }
  /** Lets the time of every planned release come. */
  const bringPlanned = async () => {
    await db.updateTable('releases').set({ publish_at: new Date() }).where('state', '=', 'planned').execute()
    return { published: await publishPlanned(db, jobs) }
  }
  /** Lets some time pass since a person has proved who they are. */
  const ageProof = async ({ email }: { email: string }) => {
    await sql`
      update sessions set proved_at = now() - interval '1 hour'
      where user_id = (select id from users where email = ${email})`.execute(db)
    return {}
  }
  /** Lets the last day of everything that is lent to a person pass. */
  const endLendings = async ({ email }: { email: string }) => {
    const { rows } = await sql`
      update lendings set until = now() from users
      where users.id = adviser_id and users.email = ${email} and ended_at is null returning lendings.id`.execute(
      db,
    )
    return { ended: rows.length }
  }
  const handInFiles = async ({ files, says = {}, ...item }: WantedIntake) => {
    const named = files.map((name) => [name, `%PDF-1.7 ${name} ${Math.random()}`] as const)
    for (const [name, bytes] of named)
      if (says[name]) await readAs({ bytes: Buffer.from(bytes).toString('base64'), pages: says[name] })
    return { id: await handIn({ db, storage }, Object.fromEntries(named), item) }
  }
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end('ready')
      return
    }
    json(request)
      .then((wanted): Promise<object> => {
        if (request.url === '/proof') return ageProof(wanted as { email: string })
        if (request.url === '/text') return readAs(wanted as { bytes: string; pages: string[] })
        if (request.url === '/user') return makePerson(wanted as object)
        if (request.url === '/expect') return expectYearly(wanted as { project: number; folders: string[] })
        if (request.url === '/hand-in') return handInFiles(wanted as WantedIntake)
        if (request.url === '/lendings') return endLendings(wanted as { email: string })
        return request.url === '/planned' ? bringPlanned() : make(wanted as ProjectRequest)
      })
      .then((made) => response.end(JSON.stringify(made)))
      .catch((error: unknown) => {
        response.statusCode = 500
        response.end(String(error))
      })
  })
  server.listen(makerOf(port), '127.0.0.1').unref()
}
