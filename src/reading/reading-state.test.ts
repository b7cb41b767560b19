import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { writePdf } from '../../test/files/pdf.ts'
import { makeFile, makeProject, makeUser, OFFICE, PASSWORD } from '../../test/make.ts'
import { Visitor } from '../../test/visitor.ts'
import { unreadText } from '../files/look/look-details.tsx'
import type { LookFacts } from '../files/look/look.ts'
import { fileUrls, urls } from '../urls.ts'
import { findReadingState } from './reading-state.db.ts'

let test: TestApp
let project: number
let folder: number
const on = { readDocuments: true, readScans: true }

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  project = (await makeProject(test.db)).id
  const { rows } = await sql<{ id: number }>`
    select id from folders where project_id = ${project} and visible_to_investors order by id limit 1`.execute(
    test.db,
  )
  folder = rows[0]!.id
})

const stateOf = (file: number, state: string, reason: string | null, pages: number | null) =>
  sql`
    update texts set state = ${state}, reason = ${reason}, pages = ${pages} from files, blobs
    where files.id = ${file} and blobs.id = files.blob_id and texts.sha256 = blobs.sha256`.execute(test.db)

const visitor = async (role: 'administrator' | 'employee' | 'investor') => {
  const user = await makeUser(test.db, { role })
  if (role === 'investor')
    await sql`insert into project_members (project_id, user_id) values (${project}, ${user.id})`.execute(
      test.db,
    )
  const made = new Visitor(test.app)
  await made.signIn(user.email, PASSWORD)
  return made
}

describe('how far reading is', () => {
  it('counts texts that are read, waiting and failed, and names the newest that failed', async () => {
    const name = (number: number) => `Bilag ${number}.txt`
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9])
      await makeFile(test, folder, { name: name(number), bytes: `Bilag ${number}` })
    const { rows } = await sql<{ id: number }>`select id from files order by id`.execute(test.db)
    const ids = rows.map(({ id }) => id)
    for (const id of ids.slice(0, 6)) await stateOf(id, 'failed', 'Filen er beskadiget.', null)
    await stateOf(ids[6]!, 'read', null, 1)
    await makeFile(test, folder, { name: 'Foto.jpg', bytes: Buffer.from('ffd8ffe000104a464946', 'hex') })
    const state = await findReadingState(test.db, OFFICE, on)
    expect(state).toMatchObject({ isOn: true, read: 1, waiting: 2, failed: 6, scans: { waiting: 1 } })
    expect(state.newestFailed.map((file) => file.name)).toEqual([6, 5, 4, 3, 2].map(name))
    expect(state.newestFailed[0]).toEqual({ id: ids[5], name: name(6), reason: 'Filen er beskadiget.' })
    expect(await findReadingState(test.db, { id: 0, role: 'investor' }, on)).toMatchObject({
      newestFailed: [],
    })

    await sql`update files set deleted_at = now() where id = ${ids[5]}`.execute(test.db)
    const after = await findReadingState(test.db, OFFICE, { readDocuments: false, readScans: false })
    expect(after.newestFailed.map((file) => file.name)).toEqual([5, 4, 3, 2, 1].map(name))
    expect(after).toMatchObject({ isOn: false, scans: { state: 'off' } })
  })

  it('the office’s page shows how far reading is, with links for the administrator', async () => {
    const { id } = await makeFile(test, folder, { name: 'Låst.pdf', bytes: writePdf() })
    await stateOf(id, 'failed', 'Filen er låst med en adgangskode.', null)
    const answer = await (await visitor('administrator')).get(urls.office)
    expect(answer.body).toContain('Søgning i dokumenter')
    expect(answer.body).toContain('Filen er låst med en adgangskode.')
    expect(answer.body).toContain(`href="${urls.fileHistory(id)}"`)
    expect((await (await visitor('employee')).get(urls.office)).statusCode).toBe(403)
  })
})

describe('the panel beside the list', () => {
  it('the panel tells only the office why a file cannot be searched', async () => {
    const { id } = await makeFile(test, folder, { name: 'Brudt.txt', bytes: 'Brudt' })
    const employee = await visitor('employee')
    const factsFor = async (who: Visitor) => (await who.get(fileUrls.look({ project }, id))).json<LookFacts>()
    expect((await factsFor(employee)).office?.unread).toBeNull()
    await stateOf(id, 'failed', 'Filen er beskadiget.', null)
    expect((await factsFor(employee)).office?.unread).toEqual({
      isFailed: true,
      reason: 'Filen er beskadiget.',
    })
    await stateOf(id, 'read', 'Kun de første 5.000 sider er læst.', 5000)
    expect((await factsFor(employee)).office?.unread).toMatchObject({ isFailed: false })
    const investor = await factsFor(await visitor('investor'))
    expect(investor.file.id).toBe(id)
    expect(JSON.stringify(investor)).not.toContain('5.000')
  })

  it.each([
    [true, 'Filen er beskadiget.', 'Teksten kunne ikke læses: filen er beskadiget.'],
    [false, 'Kun de første 5.000 sider er læst.', 'Kun de første 5.000 sider er læst.'],
  ])('says in Danish why a file cannot be searched', (isFailed, reason, text) => {
    expect(unreadText({ isFailed, reason })).toBe(text)
  })
})
