import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUserFolder, NOBODY } from '../../../test/make.ts'
import { deactivateUser } from '../../accounts/change-user.db.ts'
import type { Page } from '../../base/pagination.ts'
import type { Project } from '../../projects/project/project.ts'
import { urls } from '../../urls.ts'
import { reasonText, type ReaderRow } from './readers.ts'

let test: TestApp
let office: Entered
let investor: Entered
let auditor: Entered
let adviser: Entered
let project: Project
let folders: Record<string, number>
let own: number

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = await enter(test, 'employee', { name: 'Mads Thorup' })
  investor = await enter(test, 'investor', { name: 'Bo Holm' })
  auditor = await enter(test, 'auditor', { name: 'Rita Krag' })
  adviser = await enter(test, 'adviser', { name: 'Karen Lund' })
  project = await makeProject(test.db, { members: [investor.id, auditor.id] })
  folders = await foldersByName(test.db, project.id)
  own = await makeUserFolder(test.db, investor.id)
  await sql`insert into lendings (lender_id, adviser_id, is_everything, folder_names)
    values (${investor.id}, ${adviser.id}, false, array['Budget'])`.execute(test.db)
})

/** Returns who sees a thing, with the reason. */
async function readers(address: string): Promise<string[]> {
  const { data } = (await office.visitor.get(address)).json<Page<ReaderRow>>()
  return data.map((row) => `${row.name}: ${reasonText(row)}`)
}
const [BO, RITA, KAREN, MADS] = [
  'Bo Holm: Medlem af projektet',
  'Rita Krag: Revisor på projektet',
  'Karen Lund: Har fået adgang af Bo Holm',
  'Mads Thorup: Kontoret ser alt',
]

describe('who can see', () => {
  it('lists who can see a project', async () => {
    expect(await readers(urls.listReaders('project', project.id))).toEqual([BO, KAREN, RITA, MADS])
  })

  it.each([
    ['a folder that is lent', 'Budget', [BO, KAREN, RITA, MADS]],
    ['a folder that is not', 'Årsrapport', [BO, RITA, MADS]],
    ['a hidden folder', 'Diverse', [RITA, MADS]],
  ])('lists who can see %s', async (_what, folder, expected) => {
    expect(await readers(urls.listReaders('folder', folders[folder]!))).toEqual(expected)
  })

  it('lists who can see a file, a draft and a file in the trash', async () => {
    const { id } = await makeFile(test, folders.Budget!)
    expect(await readers(urls.listReaders('file', id))).toEqual([BO, KAREN, RITA, MADS])
    await sql`update files set is_held_back = true where id = ${id}`.execute(test.db)
    expect(await readers(urls.listReaders('file', id))).toEqual([MADS])
    await sql`update files set deleted_at = now() where id = ${id}`.execute(test.db)
    expect((await office.visitor.get(urls.readers('file', id))).statusCode).toBe(404)
  })

  it('lists who can see a person’s own files', async () => {
    expect(await readers(urls.listReaders('folder', own))).toEqual(['Bo Holm: Egne filer', MADS])
    expect((await office.visitor.get(urls.readers('folder', own))).body).toContain('egne filer hos Bo Holm')
  })

  it('readers are found by name, without deactivated people', async () => {
    expect(await readers(`${urls.listReaders('project', project.id)}?q=karen`)).toEqual([KAREN])
    await deactivateUser(test.db, NOBODY, auditor.id)
    expect(await readers(urls.listReaders('project', project.id))).toEqual([BO, KAREN, MADS])
  })

  it('answers 404 for a template’s folder and for what does not exist', async () => {
    const { rows } = await sql<{ id: number }>`
      select id from folders where project_id is null and user_id is null limit 1`.execute(test.db)
    for (const address of [
      urls.readers('folder', rows[0]!.id),
      urls.readers('project', 99_999),
      urls.readers('file', 99_999),
      '/projects/x/readers',
    ])
      expect((await office.visitor.get(address)).statusCode).toBe(404)
  })
})

describe('what a person sees', () => {
  it('a person’s page lists the projects and folders they see, and on whose behalf', async () => {
    const { data } = (await office.visitor.get(urls.listSeen(adviser.id))).json<Page<object>>()
    expect(data).toMatchObject([{ id: project.id, lent_by: ['Bo Holm'], folders: [{ name: 'Budget' }] }])
    expect((await office.visitor.get(urls.seenBy(investor.id))).body).toContain('Sine egne')
  })

  it.each([
    ['somebody of the office', () => office.id, 'ser alle projekter'],
    ['somebody deactivated', () => auditor.id, 'kan ikke se noget'],
  ])('summarises in a sentence what is seen by %s', async (_who, id, said) => {
    expect((await office.visitor.get(urls.seenBy(id()))).body).toContain(said)
  })
})
