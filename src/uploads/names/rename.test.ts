import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter } from '../../../test/enter.ts'
import {
  foldersByName,
  makeFile,
  makeManyFiles,
  makeProject,
  makeUser,
  makeUserFolder,
} from '../../../test/make.ts'
import type { Visitor } from '../../../test/visitor.ts'
import { fileUrls, urls } from '../../urls.ts'
import { extensionFault } from '../../files/names/file-name.ts'

let test: TestApp
let office: Visitor
let project: { id: number; number: string }
let folders: Record<string, number>
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = (await enter(test, 'employee')).visitor
})
beforeEach(async () => {
  project = await makeProject(test.db)
  folders = await foldersByName(test.db, project.id)
})

const owner = () => ({ project: project.id })
const rename = (file: number, name: unknown, visitor = office) =>
  visitor.post(fileUrls.rename(owner(), file), { name }, { script: true })
const row = async (file: number) => {
  const { rows } = await sql<{
    name: string
    period: string | null
    folder_id: number
    position: string
    key: string
  }>`
    select name, period, folder_id, position, key from files where id = ${file}`.execute(test.db)
  return rows[0]!
}

describe('renaming a file', () => {
  it('a renamed file keeps its place and key, its period is read from the name, and both names are logged', async () => {
    const file = await makeFile(test, folders.Budget!, { name: 'Kladde 2020.pdf' })
    const before = await row(file.id)
    const reply = await rename(file.id, '  Møde i Ærø   #1 50%?  2031.pdf ')
    expect(reply.json()).toEqual({
      success: true,
      undo: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      elsewhere: null,
    })
    expect(await row(file.id)).toEqual({ ...before, name: 'Møde i Ærø #1 50%? 2031.pdf', period: '2031' })
    const { rows } = await sql`
      select act, folder_id, before, after from log join log_names on log_id = log.id where file_id = ${file.id}`.execute(
      test.db,
    )
    expect(rows).toEqual([
      {
        act: 'file-renamed',
        folder_id: folders.Budget,
        before: 'Kladde 2020.pdf',
        after: 'Møde i Ærø #1 50%? 2031.pdf',
      },
    ])
    const history = await office.get(urls.fileHistory(file.id))
    expect(history.body).toContain('omdøbte')
    expect(history.body).toContain('Kladde 2020.pdf')
  })

  it('a name from a Mac is composed', async () => {
    const file = await makeFile(test, folders.Budget!)
    await rename(file.id, 'Årsmøde på Ærø é.pdf'.normalize('NFD'))
    expect((await row(file.id)).name).toBe('Årsmøde på Ærø é.pdf')
  })

  it('every former address of a file leads to it, and no other', async () => {
    const file = await makeFile(test, folders.Budget!, { name: 'Første.pdf', bytes: '%PDF-1.7 x' })
    const key = file.path.split('/')[0]!
    await rename(file.id, 'Anden æøå#%?.pdf')
    const undo = (await rename(file.id, 'Tredje.pdf')).json<{ undo: string }>().undo
    const open = async (name: string, way: 'open' | 'download' = 'open') => {
      const reply = await office.get(fileUrls[way](owner(), `${key}/${name}`))
      return [reply.statusCode, reply.statusCode === 200 ? reply.headers['content-disposition'] : null]
    }
    for (const name of ['Første.pdf', 'Anden æøå#%?.pdf', 'Anden æøå#%?.pdf'.normalize('NFD'), 'Tredje.pdf'])
      for (const way of ['open', 'download'] as const)
        expect(await open(name, way)).toEqual([200, expect.stringContaining('Tredje.pdf')])
    expect(await open('Fjerde.pdf')).toEqual([404, null])
    await office.post(urls.undo(undo), {}, { script: true })
    expect((await open('Tredje.pdf'))[0]).toBe(200)
    const other = await makeFile(test, folders.Budget!, { name: 'En anden.pdf' })
    expect(
      (await office.get(fileUrls.open(owner(), `${other.path.split('/')[0]}/Første.pdf`))).statusCode,
    ).toBe(404)
  })

  it('renaming to the same name changes nothing', async () => {
    const file = await makeFile(test, folders.Budget!, { name: 'Samme.pdf' })
    expect((await rename(file.id, ' Samme.pdf')).json()).toEqual({
      success: true,
      undo: null,
      elsewhere: null,
    })
  })

  it('a rename offers the folder of the same project to which the new name leads', async () => {
    const file = await makeFile(test, folders.Budget!)
    const other = await makeProject(test.db)
    const elsewhere = async (name: string) =>
      (await rename(file.id, name)).json<{ elsewhere: unknown }>().elsewhere
    expect(await elsewhere(`Diverse (${project.number}) 2024.pdf`)).toEqual({
      id: folders.Diverse,
      name: 'Diverse',
      visible_to_investors: false,
    })
    expect(await elsewhere(`Årsrapport KS (${project.number}) 2024.pdf`)).toMatchObject({
      id: folders.Årsrapport,
    })
    expect(await elsewhere(`Budget (${project.number}) 2024.pdf`)).toBeNull()
    expect(await elsewhere(`Diverse (${other.number}) 2024.pdf`)).toBeNull()
    expect(await elsewhere(`Ukendt mappe (${project.number}).pdf`)).toBeNull()
    expect(await elsewhere('Diverse 2024.pdf')).toBeNull()
    expect((await row(file.id)).folder_id).toBe(folders.Budget)
  })

  it.each([
    [undefined, 'Navnet skal udfyldes.'],
    ['  ', 'Navnet skal udfyldes.'],
    [['a.pdf'], 'Navnet skal udfyldes.'],
    ['a/b.pdf', 'Filnavnet ”a/b.pdf” må ikke indeholde skråstreger eller styretegn.'],
    ['a\\b.pdf', 'Filnavnet ”a\\b.pdf” må ikke indeholde skråstreger eller styretegn.'],
    ['a\u0007b.pdf', 'Filnavnet ”ab.pdf” må ikke indeholde skråstreger eller styretegn.'],
    [`${'a'.repeat(252)}.pdf`, 'Navnet må højst være på 255 tegn.'],
    ['a'.repeat(50_000), 'Navnet må højst være på 255 tegn.'],
    ['Uden endelse', 'Navnet skal stadig slutte på ”.pdf”, så filen kan åbnes.'],
    ['Noget andet.exe', 'Navnet skal stadig slutte på ”.pdf”, så filen kan åbnes.'],
    ['..', 'Navnet kan ikke bruges til en fil.'],
  ])('refuses to rename a file to %j', async (name, message) => {
    const file = await makeFile(test, folders.Budget!, { name: 'Før.pdf' })
    const reply = await rename(file.id, name)
    expect([reply.statusCode, reply.json()]).toMatchObject([
      422,
      { success: false, message, errors: { name: [message] } },
    ])
    expect((await row(file.id)).name).toBe('Før.pdf')
  })

  it('only the office renames, and only existing files', async () => {
    const [a, b] = (await makeManyFiles(test.db, folders.Budget!, 2)) as [number, number]
    await office.post(fileUrls.many(owner(), 'delete'), { files: [b] }, { script: true })
    const theirs = await foldersByName(test.db, (await makeProject(test.db)).id)
    const [foreign] = (await makeManyFiles(test.db, theirs.Budget!, 1)) as [number]
    for (const id of [b, foreign, 99_999_999]) expect((await rename(id, 'Ny.pdf')).statusCode).toBe(404)
    for (const role of ['investor', 'auditor'] as const)
      expect((await rename(a, 'Ny.pdf', (await enter(test, role)).visitor)).statusCode).toBe(403)
  })

  it('a person’s files are renamed the same way', async () => {
    const { id: user } = await makeUser(test.db)
    const [a] = (await makeManyFiles(test.db, await makeUserFolder(test.db, user), 1)) as [number]
    const name = `Diverse (${project.number}).pdf`
    const reply = await office.post(fileUrls.rename({ user }, a), { name }, { script: true })
    expect(reply.json()).toMatchObject({ success: true, elsewhere: null })
  })
})

it.each([
  ['a.pdf', 'b.pdf', null],
  ['a.PDF', 'b.pdf', null],
  ['Referat 12.3.2020', 'Referat 13.3.2020', null],
  ['a.tar.gz', 'b.gz', null],
  ['a.pdf', 'a', 'Navnet skal stadig slutte på ”.pdf”, så filen kan åbnes.'],
  ['a.pdf', '.pdf', 'Navnet skal stadig slutte på ”.pdf”, så filen kan åbnes.'],
  ['Referat', 'Referat.exe', 'Filen har ingen filendelse, så navnet kan ikke slutte på ”.exe”.'],
])('renaming from %s to %s: %s', (before, after, fault) => {
  expect(extensionFault(before, after)).toBe(fault)
})
