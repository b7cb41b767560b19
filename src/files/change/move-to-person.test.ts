import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUser, makeUserFolder } from '../../../test/make.ts'
import type { Visitor } from '../../../test/visitor.ts'

/** The answer to an act that can be undone. */
const DONE = { success: true, undo: expect.stringMatching(/^[0-9a-f-]{36}$/) as string }

let test: TestApp
let office: Visitor
let from: Entered
let to: Entered
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = (await enter(test, 'employee')).visitor
})
beforeEach(async () => {
  from = await enter(test, 'investor', { name: 'Forkert Person' })
  to = await enter(test, 'investor', { name: 'Rigtig Person' })
})

const put = async (user: number, name?: string) =>
  makeFile(test, await makeUserFolder(test.db, user), name === undefined ? {} : { name })
const move = (user: number | string, file: unknown, target: unknown, visitor = office) =>
  visitor.post(`/api/users/${user}/move-file`, { file_id: file, user_id: target }, { script: true })
const namesOf = async ({ id, visitor }: Entered) =>
  ((await visitor.get(`/api/users/${id}/files`)).json() as { data: { name: string }[] }).data.map(
    ({ name }) => name,
  )

describe('a file of the wrong person', () => {
  it('moves a file to the start of another person’s files, and the old address answers 404', async () => {
    await put(to.id, 'Før.pdf')
    const file = await put(from.id, 'Opgørelse æøå#%?.pdf')
    const path = file.path.split('/').map(encodeURIComponent).join('/')
    expect((await from.visitor.get(`/users/${from.id}/uploads/${path}`)).statusCode).toBe(200)
    const answer = await move(from.id, file.id, to.id)
    expect([answer.statusCode, answer.json()]).toEqual([200, DONE])
    expect([await namesOf(from), await namesOf(to)]).toEqual([[], ['Opgørelse æøå#%?.pdf', 'Før.pdf']])
    expect((await from.visitor.get(`/users/${from.id}/uploads/${path}`)).statusCode).toBe(404)
    expect((await to.visitor.get(`/users/${to.id}/uploads/${path}`)).statusCode).toBe(200)
  })

  it('logs the move of a file for both people', async () => {
    const file = await put(from.id)
    await move(from.id, file.id, to.id)
    const entries = await test.db
      .selectFrom('log')
      .select(['act', 'subject_user_id'])
      .where('file_id', '=', file.id)
      .where('act', 'in', ['file-moved', 'file-moved-away'])
      .orderBy('id')
      .execute()
    expect(entries).toEqual([
      { act: 'file-moved-away', subject_user_id: from.id },
      { act: 'file-moved', subject_user_id: to.id },
    ])
  })

  it('counts a moved file for the new person only', async () => {
    const file = await put(from.id)
    await move(from.id, file.id, to.id)
    const { rows } = await sql`
      select user_id, files_count from folders where user_id in (${from.id}, ${to.id}) order by user_id`.execute(
      test.db,
    )
    expect(rows).toEqual([
      { user_id: from.id, files_count: 0 },
      { user_id: to.id, files_count: 1 },
    ])
  })

  it('does not move a file that already belongs to the person', async () => {
    const file = await put(from.id)
    expect((await move(from.id, file.id, from.id)).json()).toEqual({ success: true, undo: null })
    expect(await namesOf(from)).toHaveLength(1)
  })

  it.each([
    ['nobody', () => Promise.resolve(999_999), 422],
    ['an employee', async () => (await makeUser(test.db, { role: 'employee' })).id, 422],
    ['an auditor', async () => (await makeUser(test.db, { role: 'auditor' })).id, 422],
    ['no id', () => Promise.resolve('x'), 422],
  ] as const)('refuses to move a file to %s', async (_who, target, status) => {
    const file = await put(from.id)
    const answer = await move(from.id, file.id, await target())
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([status, ['user_id']])
    expect(await namesOf(from)).toHaveLength(1)
  })

  it('answers 404 for a file that is not the person’s own, or is deleted', async () => {
    const stranger = await put((await makeUser(test.db)).id)
    const project = await makeProject(test.db)
    const [folder] = Object.values(await foldersByName(test.db, project.id))
    const papers = await makeFile(test, folder!)
    const deleted = await put(from.id)
    await office.post(`/api/users/${from.id}/file/${deleted.id}`, { _method: 'DELETE' }, { script: true })
    for (const file of [stranger, papers, deleted])
      expect((await move(from.id, file.id, to.id)).statusCode).toBe(404)
    expect((await move(999_999, stranger.id, to.id)).statusCode).toBe(404)
    expect(await namesOf(to)).toEqual([])
  })

  it.each(['auditor', 'investor'] as const)('refuses to move a person’s file as %s', async (role) => {
    const file = await put(from.id)
    const { visitor } = await enter(test, role)
    expect((await move(from.id, file.id, to.id, visitor)).statusCode).toBe(403)
    expect((await move(from.id, file.id, to.id, from.visitor)).statusCode).toBe(403)
    expect(await namesOf(from)).toHaveLength(1)
  })

  it('a file moved to two people at the same time goes to one of them', async () => {
    const third = await enter(test, 'investor')
    const file = await put(from.id)
    const answers = await Promise.all([move(from.id, file.id, to.id), move(from.id, file.id, third.id)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 404])
    expect((await namesOf(to)).length + (await namesOf(third)).length).toBe(1)
  })

  it('two files moved in opposite directions at the same time cause no deadlock', async () => {
    const [one, other] = [await put(from.id), await put(to.id)]
    const answers = await Promise.all([move(from.id, one.id, to.id), move(to.id, other.id, from.id)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect([(await namesOf(from)).length, (await namesOf(to)).length]).toEqual([1, 1])
  })
})

describe('a person’s files', () => {
  it('S9.9 a person’s files are a section on their page, and are found by their names, not by the folder’s', async () => {
    await put(from.id, 'Kapitalkonto.pdf')
    await put(from.id, 'Brev.pdf')
    const find = async (q: string) =>
      (
        (await office.get(`/api/users/${from.id}/folders?q=${q}`)).json() as {
          data: { files: { name: string }[] }[]
        }
      ).data
        .flatMap(({ files }) => files)
        .map(({ name }) => name)
    expect(await find('')).toEqual(['Kapitalkonto.pdf', 'Brev.pdf'])
    expect(await find('brev')).toEqual(['Brev.pdf'])
    expect(await find('filer')).toEqual([])
    const page = (await office.get(`/users/${from.id}`)).body.replaceAll('<!-- -->', '')
    expect(page).toContain('Showing 2 of 2 total items')
  })

  it('a person’s files have their own trash', async () => {
    const file = await put(from.id, 'Væk.pdf')
    await office.post(`/api/users/${from.id}/file/${file.id}`, { _method: 'DELETE' }, { script: true })
    expect((await office.get(`/users/${from.id}/trash`)).body).toContain('Væk.pdf')
    expect((await office.get('/users/999999/trash')).statusCode).toBe(404)
    expect((await from.visitor.get(`/users/${from.id}/trash`)).statusCode).toBe(403)
  })
})
