import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUserFolder } from '../../../test/make.ts'
import type { FileOwner } from '../../access/reader.ts'
import { fileUrls, urls } from '../../urls.ts'

let test: TestApp
let office: Entered
let investor: Entered
let one: Place
let other: Place
let own: Place

/** A folder that files lie in, as the rules of moving know it. */
type Place = { owner: FileOwner; folder: number; to: { folder_id: number } | { user_id: number } }

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = await enter(test, 'employee')
})
beforeEach(async () => {
  investor = await enter(test, 'investor')
  const placeIn = async (members: number[]): Promise<Place> => {
    const { id } = await makeProject(test.db, { members })
    const folder = (await foldersByName(test.db, id)).Budget!
    return { owner: { project: id }, folder, to: { folder_id: folder } }
  }
  one = await placeIn([])
  other = await placeIn([investor.id])
  const folder = await makeUserFolder(test.db, investor.id)
  own = { owner: { user: investor.id }, folder, to: { user_id: investor.id } }
})

const move = async (from: Place, files: number[], to: object, who = office) => {
  const reply = await who.visitor.post(fileUrls.many(from.owner, 'move'), { files, ...to }, { script: true })
  return { status: reply.statusCode, ...reply.json<{ undo: string | null; errors?: object }>() }
}

async function countsOf({ folder }: Place) {
  const { rows } = await sql<{ here: number; shown: number; project: number | null }>`
    select folders.files_count as here, shown_count as shown, projects.files_count as project
    from folders left join projects on projects.id = folders.project_id where folders.id = ${folder}`.execute(
    test.db,
  )
  return rows[0]!
}

const folderOf = async (file: number) =>
  (await test.db.selectFrom('files').select('folder_id').where('id', '=', file).executeTakeFirstOrThrow())
    .folder_id

describe('a file moves', () => {
  it.each([
    ['from project to project', () => [one, other]],
    ['from a project to a person', () => [one, own]],
    ['from a person to a project', () => [own, other]],
  ] as const)('moves a file %s, with its key, history and versions, and back again', async (_way, places) => {
    const [from, to] = places() as [Place, Place]
    const { id, path } = await makeFile(test, from.folder)
    const stays = await makeFile(test, from.folder)
    const before = [await countsOf(from), await countsOf(to)]
    const { status, undo } = await move(from, [id], to.to)
    expect(status).toBe(200)
    expect(await folderOf(id)).toBe(to.folder)
    expect((await office.visitor.get(fileUrls.open(to.owner, path))).statusCode).toBe(200)
    expect((await office.visitor.get(fileUrls.open(from.owner, path))).statusCode).toBe(404)
    expect([(await countsOf(from)).here, (await countsOf(to)).here]).toEqual([1, 1])
    const { rows } = await sql<{ act: string; folder_id: number }>`
      select act, folder_id from log where file_id = ${id} and act like 'file-moved%' order by id`.execute(
      test.db,
    )
    expect(rows).toEqual([
      { act: 'file-moved-away', folder_id: from.folder },
      { act: 'file-moved', folder_id: to.folder },
    ])
    expect((await office.visitor.post(urls.undo(undo!), {}, { script: true })).statusCode).toBe(200)
    expect([await folderOf(id), await folderOf(stays.id)]).toEqual([from.folder, from.folder])
    expect([await countsOf(from), await countsOf(to)]).toEqual(before)
  })

  it('moves many files at once to another project, where they are new', async () => {
    const files = [await makeFile(test, one.folder), await makeFile(test, one.folder)]
    const ids = files.map(({ id }) => id)
    await sql`update files set shown_at = '2020-01-01' where id = any (${ids})`.execute(test.db)
    await move(one, ids, other.to)
    const { rows } = await sql<{ many: number }>`
      select count(*)::integer as many from files where id = any (${ids}) and shown_at > now() - interval '1 hour'`.execute(
      test.db,
    )
    expect(rows[0]!.many).toBe(2)
    expect((await countsOf(one)).project).toBe(0)
    expect((await countsOf(other)).project).toBe(2)
  })

  it('refuses to move a file to no place, two places or a missing folder, or for others than the office', async () => {
    const { id } = await makeFile(test, one.folder)
    expect(await move(one, [id], {})).toMatchObject({
      status: 422,
      errors: { folder_id: ['Vælg en mappe eller en person.'] },
    })
    expect((await move(one, [id], { ...other.to, ...own.to })).status).toBe(422)
    expect((await move(one, [id], { folder_id: 99999 })).status).toBe(404)
    expect((await move(one, [id], { folder_id: own.folder })).status).toBe(404)
    expect((await move(one, [id], { user_id: office.id })).status).toBe(422)
    expect((await move(one, [id], other.to, investor)).status).toBe(403)
    expect(await folderOf(id)).toBe(one.folder)
  })
})

describe('the name of a moved file', () => {
  const NUMBERS = { from: '1024 æ', to: '10-31' }
  const named = async (file: number) => {
    const { rows } = await sql<{ name: string; period: string | null }>`
      select name, period, is_held_back from files where id = ${file}`.execute(test.db)
    return rows[0]!
  }
  const renames = async (file: number) => {
    const { rows } = await sql`
      select before, after, log.folder_id, detail from log join log_names on log_id = log.id
      where file_id = ${file} and act = 'file-renamed' order by log.id`.execute(test.db)
    return rows
  }
  const number = async ({ owner }: Place, value: string) => {
    if ('project' in owner)
      await sql`update projects set number = ${value} where id = ${owner.project}`.execute(test.db)
    else
      await sql`insert into user_numbers (number, user_id) values (${value}, ${owner.user})`.execute(test.db)
  }
  const undo = async (id: string) =>
    (await office.visitor.post(urls.undo(id), {}, { script: true })).statusCode
  let round = 0

  it.each([
    ['from project to project', () => [one, other]],
    ['from a project to a person', () => [one, own]],
    ['from a person to a project', () => [own, other]],
  ] as const)('renames a moved file on request, %s, and undoing renames it back', async (_way, places) => {
    const [from, to] = places() as [Place, Place]
    const [was, is] = [`${NUMBERS.from}${++round}`, `${NUMBERS.to}${round}`]
    await number(from, was)
    await number(to, is)
    const said = (key: string) => `Årsrapport (${key}) 2023 æøå#%? (kopi).pdf`
    const [file, plain] = [
      await makeFile(test, from.folder, { name: said(was) }),
      await makeFile(test, from.folder, { name: 'Brev (udkast) 2023.pdf' }),
    ]
    const before = await named(file.id)
    const moved = await move(from, [file.id, plain.id], { ...to.to, rename: 'on' })
    expect(moved.status).toBe(200)
    expect(await named(file.id)).toEqual({ ...before, name: said(is) })
    expect(await named(plain.id)).toMatchObject({ name: 'Brev (udkast) 2023.pdf' })
    const there = { before: said(was), after: said(is), folder_id: to.folder, detail: null }
    expect([await renames(file.id), await renames(plain.id)]).toEqual([[there], []])
    expect(await undo(moved.undo!)).toBe(200)
    expect([await folderOf(file.id), await named(file.id)]).toEqual([from.folder, before])
    expect(await renames(file.id)).toEqual([
      there,
      { before: said(is), after: said(was), folder_id: from.folder, detail: 'undo' },
    ])
  })

  it('keeps the name without the request, and where the new place has no number', async () => {
    await number(one, '1024-x')
    const name = 'Årsrapport (1024-x) 2023.pdf'
    const files = [await makeFile(test, one.folder, { name }), await makeFile(test, one.folder, { name })]
    await move(one, [files[0]!.id], other.to)
    await move(one, [files[1]!.id], { ...own.to, rename: true })
    for (const { id } of files) expect(await named(id)).toMatchObject({ name })
    expect(await folderOf(files[1]!.id)).toBe(own.folder)
  })

  it('undoing a move keeps a name that was given since', async () => {
    await number(one, '2024-1')
    await number(other, '2024-2')
    const { id } = await makeFile(test, one.folder, { name: 'Budget (2024-1).pdf' })
    const moved = await move(one, [id], { ...other.to, rename: true })
    await office.visitor.post(fileUrls.rename(other.owner, id), { name: 'Andet.pdf' }, { script: true })
    expect(await undo(moved.undo!)).toBe(409)
    expect([await folderOf(id), await named(id)]).toMatchObject([other.folder, { name: 'Andet.pdf' }])
  })
})
