import { Readable } from 'node:stream'
import { hash } from '@node-rs/argon2'
import { generateNKeysBetween } from 'fractional-indexing'
import { sql } from 'kysely'
import { addUser, type NewUser } from '../src/accounts/users/users.db.ts'
import { addToken, type NewToken } from '../src/accounts/tokens/tokens.db.ts'
import type { Parts } from '../src/server/parts.ts'
import type { Reader } from '../src/access/reader.ts'
import { newValues } from '../src/base/fields/field.ts'
import type { User } from '../src/accounts/users/user.ts'
import { SCOPES } from '../src/rights.ts'
import type { Database, Trx } from '../src/server/database/database.ts'
import { addFiles, type NewFile } from '../src/files/change/change.db.ts'
import { openUserFolders } from '../src/files/file/user-folder.db.ts'
import { copyTemplate, listFolders } from '../src/projects/folders.db.ts'
import { changeMembers } from '../src/projects/members.db.ts'
import type { Project } from '../src/projects/project/project.ts'
import { OWN_FIELDS } from '../src/projects/project/project.fields.ts'
import { addProject } from '../src/projects/project/projects.db.ts'
import type { CompanyValues, CompanyReport } from '../src/report/company/company.ts'
import { saveReport } from '../src/report/report.db.ts'
import { receiveBlob } from '../src/server/storage/blobs.db.ts'
import { countUp } from './counter.ts'
import { newCvr, PASSWORD } from './values.ts'

export { newCvr, PASSWORD }

// Makes rows in a database, for the tests and the demo.

export const NOBODY = { userId: null, address: null }

/** A reader from the office, for tests where it does not matter which one. */
export const OFFICE: Reader = { id: 0, role: 'administrator' }

/** Makes a person who can sign in with `PASSWORD`, unless the fields say otherwise. */
export async function makeUser(db: Database, fields: Partial<NewUser> = {}): Promise<User> {
  const number = countUp()
  const user = {
    name: `Bruger ${number}`,
    email: `bruger${number}@example.dk`,
    role: 'investor' as const,
    passwordHash: await passwordHash(PASSWORD),
    ...fields,
  }
  return db.transaction().execute((trx) => addUser(trx, NOBODY, user))
}

/** Makes an API key that may do everything its person may, unless the fields say otherwise. Returns its secret. */
export async function makeToken(
  parts: Pick<Parts, 'db' | 'jobs' | 'config'>,
  userId: number,
  fields: Partial<NewToken> = {},
): Promise<string> {
  const wanted = { name: `Nøgle ${countUp()}`, scopes: [...SCOPES], days: 30, device: '', session: null }
  return addToken(parts.db, parts, { userId, address: '192.0.2.9' }, userId, { ...wanted, ...fields })
}

/** Makes a project with the template's folders. */
export async function makeProject(
  db: Database,
  { members = [], ...fields }: Partial<Project> & { members?: number[] } = {},
): Promise<Project> {
  const number = countUp()
  const project = newValues(OWN_FIELDS, {
    number: String(1000 + number),
    name: `K/S Projekt ${number}`,
    ...fields,
  })
  const id = await db.transaction().execute(async (trx) => {
    const added = await addProject(trx, NOBODY, project)
    await copyTemplate(trx, added)
    await changeMembers(trx, NOBODY, added, { add: members, remove: [], addByName: '' })
    return added
  })
  return { ...project, id }
}

type Content = { name?: string; bytes?: Buffer | string } & Partial<
  Pick<NewFile, 'createdAt' | 'uploadedBy' | 'fromInvestor' | 'submissionId' | 'isHeldBack'>
>

/** The place of new files: last, so that a test reads them in the order it makes them, or first, as uploads do. */
type MadePlace = 'last' | 'first'

/** Makes a file and stores its bytes. */
export async function makeFile(
  { db, storage }: Pick<Parts, 'db' | 'storage'>,
  folderId: number,
  { name = `Fil ${countUp()}.pdf`, bytes = `%PDF-1.7 ${name}`, ...more }: Content = {},
  place: MadePlace = 'last',
): Promise<{ id: number; name: string; path: string }> {
  const blob = await receiveBlob(db, storage, Readable.from([Buffer.from(bytes)]), Infinity)
  const [made] = await makeFiles(db, folderId, [{ name, blobId: blob.id, ...more }], place)
  return { ...made!, name }
}

/** Makes many files at once, from existing blobs. */
export async function makeFiles(
  db: Database,
  folderId: number,
  files: NewFile[],
  place: MadePlace = 'last',
): Promise<{ id: number; path: string }[]> {
  return db.transaction().execute(async (trx) => {
    const { project_id: project, user_id: user } = await trx
      .selectFrom('folders')
      .select(['project_id', 'user_id'])
      .where('id', '=', folderId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const owner = project === null ? { user: user! } : { project }
    const ids = await addFiles(trx, NOBODY, [{ owner, folderId, files }])
    if (place === 'last') await putLast(trx, folderId, ids)
    const made = await trx.selectFrom('files').select(['id', 'key', 'name']).where('id', 'in', ids).execute()
    return made.map(({ id, key, name }) => ({ id, path: `${key}/${name}` })).sort((a, b) => a.id - b.id)
  })
}

async function putLast(trx: Trx, folderId: number, ids: number[]): Promise<void> {
  const { rows } = await sql<{ last: string | null }>`
    select max(position) as last from files where folder_id = ${folderId} and id <> all (${ids})`.execute(trx)
  await sql`
    update files set position = placed.position
    from unnest(${ids}::bigint[], ${generateNKeysBetween(rows[0]!.last, null, ids.length)}::text[])
      as placed (id, position)
    where files.id = placed.id`.execute(trx)
}

/** Fills a folder with files quickly: their blobs are rows without bytes. */
export async function makeManyFiles(db: Database, folderId: number, many: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into blobs (key, state, size, sha256, type)
    select md5(random()::text || n), 'stored', 12345, repeat('a', 64), 'application/pdf'
    from generate_series(1, ${many}::integer) as n returning id`.execute(db)
  const made: number[] = []
  for (let from = 0; from < rows.length; from += 1000) {
    const files = rows.slice(from, from + 1000).map(({ id }, index) => ({
      name: `Bilag ${from + index + 1}.pdf`,
      blobId: id,
    }))
    made.push(...(await makeFiles(db, folderId, files)).map(({ id }) => id))
  }
  return made
}

/** Returns the ids of a project's folders by name. */
export async function foldersByName(db: Database, project: number): Promise<Record<string, number>> {
  const folders = await listFolders(db, project)
  return Object.fromEntries(folders.map(({ id, name }) => [name, id]))
}

/** Makes a person's own folder. */
export const makeUserFolder = (db: Database, user: number): Promise<number> =>
  db.transaction().execute(async (trx) => (await openUserFolders(trx, [user])).get(user)!)

export type NewCompany = Partial<CompanyValues> & { name: string; locked?: boolean }

/** Fills a person's empty report. */
export async function makeReport(
  db: Database,
  user: number,
  companies: NewCompany[],
): Promise<CompanyReport> {
  const rows = companies.map(({ locked, ...values }, index) => ({
    index: String(index),
    id: null,
    locked,
    values,
  }))
  return saveReport(db, { actor: NOBODY, reader: { id: 0, role: 'administrator' } }, user, {
    version: 0,
    rows,
    faults: {},
  })
}

/** Lets a colleague have to approve what others see, or not. */
export const wantApproval = (db: Database, isWanted: boolean) =>
  sql`insert into office (needs_approval) values (${isWanted})
    on conflict (is_only) do update set needs_approval = excluded.needs_approval`.execute(db)

const hashes = new Map<string, Promise<string>>()

/** Makes a hash that is quick to make and to check: these passwords are known. The product's hash is slow on purpose. */
export function passwordHash(password: string): Promise<string> {
  const quick =
    hashes.get(password) ?? hash(password.normalize('NFC'), { memoryCost: 8, timeCost: 1, parallelism: 1 })
  hashes.set(password, quick)
  return quick
}
