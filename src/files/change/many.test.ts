import { sql } from 'kysely'
import { Client } from 'pg'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeManyFiles, makeProject, makeUserFolder } from '../../../test/make.ts'
import type { Visitor } from '../../../test/visitor.ts'
import { fileUrls } from '../../urls.ts'

let test: TestApp
let office: Visitor
let administrator: Visitor
let investor: Entered
let project: number
let folders: Record<string, number>
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = (await enter(test, 'employee')).visitor
  administrator = (await enter(test, 'administrator')).visitor
  investor = await enter(test, 'investor')
})
beforeEach(async () => {
  project = (await makeProject(test.db)).id
  folders = await foldersByName(test.db, project)
})

type Act = Parameters<typeof fileUrls.many>[1]
const put = (folder: string, count: number) => makeManyFiles(test.db, folders[folder]!, count)
const call = (act: Act, fields: object, visitor = office, of = project) =>
  visitor.post(fileUrls.many({ project: of }, act), { ...fields }, { script: true })
const status = async (...on: Parameters<typeof call>) => (await call(...on)).statusCode
const order = async (folder: string | number) => {
  const id = typeof folder === 'number' ? folder : folders[folder]!
  const { rows } = await sql<{ id: number }>`
    select id from files where folder_id = ${id} and deleted_at is null order by position`.execute(test.db)
  return rows.map((row) => row.id)
}
const acts = async () => {
  const { rows } = await sql<{ act: string; file_id: number; folder_id: number }>`
    select act, file_id, folder_id from log
    where project_id = ${project} and act like 'file-%' and act <> 'file-added' order by id`.execute(test.db)
  return rows.map((row) => [row.act, row.file_id, row.folder_id])
}
const DONE = { success: true, undo: expect.stringMatching(/^[0-9a-f-]{36}$/) as string }
const NOTHING = { success: true, undo: null }

describe('many files', () => {
  it('moves many files to the start of a folder in their present order, and logs each', async () => {
    const [a, b, c] = (await put('Årsrapport', 3)) as [number, number, number]
    const [d, e] = (await put('Budget', 2)) as [number, number]
    const [f] = (await put('Diverse', 1)) as [number]
    const reply = await call('move', { files: [e, c, a], folder_id: folders.Diverse })
    expect(reply.json()).toEqual(DONE)
    expect([await order('Årsrapport'), await order('Budget'), await order('Diverse')]).toEqual([
      [b],
      [d],
      [a, c, e, f],
    ])
    expect(new Set(await acts())).toEqual(new Set([a, c, e].map((id) => ['file-moved', id, folders.Diverse])))
  })

  it('a move leaves files that are already in the folder where they are', async () => {
    const [a, b] = (await put('Budget', 2)) as [number, number]
    const [c] = (await put('Diverse', 1)) as [number]
    expect((await call('move', { files: [b], folder_id: folders.Budget })).json()).toEqual(NOTHING)
    await call('move', { files: [b, c], folder_id: folders.Budget })
    expect(await order('Budget')).toEqual([c, a, b])
    expect(await acts()).toEqual([['file-moved', c, folders.Budget]])
  })

  it('asks once if a move shows one of many files to investors', async () => {
    const [a] = (await put('Diverse', 1)) as [number]
    const [b] = (await put('Budget', 1)) as [number]
    const fields = { files: [a, b], folder_id: folders.Forsikring }
    const refused = await call('move', { ...fields, shares: false })
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      {
        success: false,
        message: 'Nogen har lige ændret, hvem der kan se mappen. Listen er hentet igen.',
      },
    ])
    expect(await order('Forsikring')).toEqual([])
    expect(await status('move', { ...fields, shares: 'true' })).toBe(200)
    const { rows } = await sql<{ id: number; is_new: boolean }>`
      select id, shown_at > created_at as is_new from files where id in (${a}, ${b}) order by id`.execute(
      test.db,
    )
    expect(rows).toEqual([
      { id: a, is_new: true },
      { id: b, is_new: false },
    ])
  })

  it('deletes many files, restores them, and removes them for good', async () => {
    const [a, b, c] = (await put('Budget', 3)) as [number, number, number]
    expect((await call('delete', { files: [c, a] })).json()).toEqual(DONE)
    expect(await order('Budget')).toEqual([b])
    expect((await call('restore', { files: [a, c] })).json()).toEqual(DONE)
    expect(await order('Budget')).toEqual([a, b, c])
    await call('delete', { files: [b, c] })
    expect(await status('remove', { files: [b, c] })).toBe(403)
    expect((await call('remove', { files: [b, c] }, administrator)).json()).toEqual(NOTHING)
    expect(await order('Budget')).toEqual([a])
    const blobs = () => sql`select from blobs where state = 'removing'`.execute(test.db)
    await expect.poll(async () => (await blobs()).rows.length).toBe(0)
    expect((await acts()).map(([act]) => act)).toEqual(
      ['deleted', 'restored', 'deleted', 'removed'].flatMap((act) => [`file-${act}`, `file-${act}`]),
    )
  })

  it('removes many files for good only from the trash, with their bytes', async () => {
    const [one, other] = [await makeFile(test, folders.Budget!), await makeFile(test, folders.Budget!)]
    const { rows } = await sql<{ key: string }>`
      select blobs.key from files join blobs on blobs.id = blob_id where files.id = ${one.id}`.execute(
      test.db,
    )
    await call('delete', { files: [one.id] })
    expect(await status('remove', { files: [one.id, other.id] }, administrator)).toBe(404)
    expect(await status('remove', { files: [one.id] }, administrator)).toBe(200)
    await expect
      .poll(() =>
        test.storage.open(rows[0]!.key).then(
          (stream) => String(stream.destroy().destroyed),
          (error: Error) => error.message,
        ),
      )
      .toMatch('no bytes')
  })

  it('moves many files to the top or bottom of their own folders, in their present order', async () => {
    const [a, b, c, d] = (await put('Budget', 4)) as [number, number, number, number]
    const [e, f] = (await put('Diverse', 2)) as [number, number]
    expect((await call('place', { files: [d, b, f], to: 'top' })).json()).toEqual(DONE)
    expect([await order('Budget'), await order('Diverse')]).toEqual([
      [b, d, a, c],
      [f, e],
    ])
    expect((await call('place', { files: [b, a, f], to: 'bottom' })).json()).toEqual(DONE)
    expect([await order('Budget'), await order('Diverse')]).toEqual([
      [d, c, b, a],
      [e, f],
    ])
    expect((await acts()).map(([act]) => act)).toEqual(Array.from({ length: 6 }, () => 'file-sorted'))
    expect((await call('place', { files: [b, a], to: 'bottom' })).json()).toEqual(NOTHING)
    expect((await call('place', { files: [d, c, e], to: 'top' })).json()).toEqual(NOTHING)
    expect(await acts()).toHaveLength(6)
  })

  it('does not move files that are already at the top or bottom of their folder', async () => {
    const [a, b] = (await put('Budget', 2)) as [number, number]
    const [c, d] = (await put('Diverse', 2)) as [number, number]
    await call('place', { files: [a, d], to: 'top' })
    expect([await order('Budget'), await order('Diverse')]).toEqual([
      [a, b],
      [d, c],
    ])
    expect(await acts()).toEqual([['file-sorted', d, folders.Diverse]])
  })

  it('changes a file once if it is named twice', async () => {
    const [a, b] = (await put('Budget', 2)) as [number, number]
    expect(await status('delete', { files: [a, b, a, String(b)] })).toBe(200)
    expect(await acts()).toHaveLength(2)
  })

  it('accepts many files from a plain form', async () => {
    const [a, b] = (await put('Budget', 2)) as [number, number]
    const reply = await office.post(
      fileUrls.many({ project }, 'delete'),
      `files[0]=${a}&files[1]=${b}` as never,
      { script: true, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    )
    expect(reply.json()).toEqual(DONE)
  })

  it('files moved from one person to another are new to the other, and logged for both', async () => {
    const other = await enter(test, 'investor')
    const from = await makeUserFolder(test.db, investor.id)
    const ids = await makeManyFiles(test.db, from, 2)
    const move = (files: number[], to: number) =>
      office.post(fileUrls.many({ user: investor.id }, 'move'), { files, user_id: to }, { script: true })
    expect((await move(ids, other.id)).json()).toEqual(DONE)
    const target = await makeUserFolder(test.db, other.id)
    expect([await order(from), await order(target)]).toEqual([[], ids])
    const { rows } = await sql<{ act: string; subject_user_id: number }>`
      select act, subject_user_id from log where file_id = any (${ids}) and act <> 'file-added' order by id`.execute(
      test.db,
    )
    expect(rows.map((row) => [row.act, row.subject_user_id])).toEqual([
      ['file-moved-away', investor.id],
      ['file-moved-away', investor.id],
      ['file-moved', other.id],
      ['file-moved', other.id],
    ])
    const employee = await enter(test, 'employee')
    expect((await move(ids, other.id)).statusCode).toBe(404)
    expect((await move(await makeManyFiles(test.db, from, 1), employee.id)).statusCode).toBe(422)
  })
})

describe('a request for many files', () => {
  it('changes nothing if one of many files is missing, deleted or of another project', async () => {
    const [a, b] = (await put('Budget', 2)) as [number, number]
    const theirs = await foldersByName(test.db, (await makeProject(test.db)).id)
    const [foreign] = (await makeManyFiles(test.db, theirs.Budget!, 1)) as [number]
    const own = (await makeManyFiles(test.db, await makeUserFolder(test.db, investor.id), 1))[0]!
    const [deleted] = (await put('Diverse', 1)) as [number]
    await call('delete', { files: [deleted] })
    const before = await acts()
    for (const wrong of [foreign, own, deleted, 99_999_999]) {
      const files = [a, wrong, b]
      for (const [act, fields] of [
        ['move', { files, folder_id: folders.Diverse }],
        ['delete', { files }],
        ['place', { files, to: 'bottom' }],
      ] as const) {
        const reply = await call(act, fields)
        expect([reply.statusCode, reply.json()]).toMatchObject([
          404,
          { success: false, message: 'En eller flere af filerne findes ikke.' },
        ])
      }
    }
    expect(await status('restore', { files: [deleted, a] })).toBe(404)
    expect(await status('remove', { files: [deleted, a] }, administrator)).toBe(404)
    expect(await status('move', { files: [a], folder_id: 99_999_999 })).toBe(404)
    expect([await order('Budget'), await acts()]).toEqual([[a, b], before])
  })

  it.each([
    ['no list', {}, 'Vælg mindst én fil.'],
    ['an empty list', { files: [] }, 'Vælg mindst én fil.'],
    ['something else', { files: ['x'] }, 'Feltet skal være et id.'],
    [
      '2,001 files',
      { files: Array.from({ length: 2001 }, (_, index) => index + 1) },
      'Der kan højst ændres 2.000 filer ad gangen.',
    ],
  ])('refuses many files with %s', async (_what, fields, message) => {
    for (const act of ['move', 'delete', 'restore', 'place'] as const) {
      const reply = await call(act, { folder_id: 1, to: 'top', ...fields })
      expect([act, reply.statusCode, reply.json<{ message: string }>().message]).toEqual([act, 422, message])
    }
    expect((await call('remove', fields, administrator)).statusCode).toBe(422)
  })

  it.each([
    ['move', { files: [1] }],
    ['move', { files: [1], folder_id: 1, shares: 'måske' }],
    ['place', { files: [1] }],
    ['place', { files: [1], to: 'midten' }],
  ] as const)('refuses to %s files with %j', async (act, fields) => {
    expect(await status(act, fields)).toBe(422)
  })

  it.each(['move', 'delete', 'restore', 'remove', 'place'] as const)(
    'refuses to change many files for investors and auditors: %s',
    async (act) => {
      const auditor = (await enter(test, 'auditor')).visitor
      for (const visitor of [investor.visitor, auditor])
        expect(await status(act, { files: [1], folder_id: 1, to: 'top' }, visitor)).toBe(403)
    },
  )

  it('makes as few queries for many files as for one', async () => {
    const ids = await put('Budget', 40)
    const count = async (act: Act, fields: object, visitor = office) => {
      await visitor.get('/findes-ikke')
      const asked = vi.spyOn(Client.prototype, 'query')
      const reply = await call(act, fields, visitor)
      const many = asked.mock.calls.filter(([query]) => !/\bjobs\./.test(query)).length
      asked.mockRestore()
      expect(reply.statusCode).toBe(200)
      return many
    }
    const [first, ...rest] = ids
    for (const [act, fields] of [
      ['move', { folder_id: folders.Diverse }],
      ['place', { to: 'bottom' }],
      ['delete', {}],
      ['restore', {}],
    ] as const) {
      if (act === 'place') await put('Diverse', 1)
      const one = await count(act, { ...fields, files: [first] })
      if (act === 'place') await put('Diverse', 1)
      expect([act, await count(act, { ...fields, files: rest })]).toEqual([act, one])
    }
  })

  it('two requests for the same files wait for each other, and both succeed', async () => {
    const ids = await put('Budget', 30)
    const replies = await Promise.all([
      call('delete', { files: ids }),
      call('delete', { files: ids.toReversed() }, administrator),
      call('move', { files: ids, folder_id: folders.Diverse }),
    ])
    const statuses = replies.map(({ statusCode }) => statusCode)
    expect(new Set(statuses.slice(0, 2))).toEqual(new Set([200, 404]))
    const { rows } = await sql<{ folder_id: number; many: number }>`
      select folder_id, count(*) as many from files where id = any (${ids}) and deleted_at is not null
      group by folder_id`.execute(test.db)
    expect(rows).toEqual([
      { folder_id: statuses[2] === 200 ? folders.Diverse : folders.Budget, many: ids.length },
    ])
  })
})

describe('sorting a folder', () => {
  const sort = (by: string, direction: string, folder = folders.Budget!, visitor = office) =>
    visitor.post(fileUrls.sort({ project }, folder), { by, direction }, { script: true })
  const NAMES = ['Å 2021.pdf', 'Bilag 10 2023.pdf', 'Bilag 9.pdf', 'aa 2021.pdf', 'Ærø 2022.pdf', 'Brev.pdf']
  const names = async () => {
    const { rows } = await sql<{ name: string }>`
      select name from files where folder_id = ${folders.Budget!} and deleted_at is null order by position`.execute(
      test.db,
    )
    return rows.map(({ name }) => name)
  }
  const fill = async () => {
    for (const [index, name] of NAMES.entries())
      await makeFile(test, folders.Budget!, { name, createdAt: new Date(Date.UTC(2024, 0, 1 + index)) })
  }

  it.each([
    [
      'name',
      'asc',
      ['Bilag 9.pdf', 'Bilag 10 2023.pdf', 'Brev.pdf', 'Ærø 2022.pdf', 'Å 2021.pdf', 'aa 2021.pdf'],
    ],
    [
      'name',
      'desc',
      ['aa 2021.pdf', 'Å 2021.pdf', 'Ærø 2022.pdf', 'Brev.pdf', 'Bilag 10 2023.pdf', 'Bilag 9.pdf'],
    ],
    [
      'year',
      'asc',
      ['Å 2021.pdf', 'aa 2021.pdf', 'Ærø 2022.pdf', 'Bilag 10 2023.pdf', 'Bilag 9.pdf', 'Brev.pdf'],
    ],
    [
      'year',
      'desc',
      ['Bilag 10 2023.pdf', 'Ærø 2022.pdf', 'Å 2021.pdf', 'aa 2021.pdf', 'Bilag 9.pdf', 'Brev.pdf'],
    ],
    ['date', 'asc', NAMES],
    ['date', 'desc', NAMES.toReversed()],
  ])('sorts a folder by %s %s', async (by, direction, expected) => {
    await fill()
    expect((await sort(by, direction)).statusCode).toBe(200)
    expect(await names()).toEqual(expected)
    expect((await sort(by, direction)).json()).toEqual(NOTHING)
  })

  it('sorting logs only files that move, and keeps deleted files in their places', async () => {
    await fill()
    const [first, second] = await order('Budget')
    await call('delete', { files: [second!] })
    expect((await sort('date', 'desc')).json()).toEqual(DONE)
    expect((await acts()).filter(([act]) => act === 'file-sorted')).toHaveLength(4)
    await call('restore', { files: [second!] })
    expect((await order('Budget')).indexOf(second!)).toBeGreaterThan((await order('Budget')).indexOf(first!))
  })

  it('sorting names what is wrong, and works for the office in the project’s own folders only', async () => {
    for (const [by, direction] of [
      ['size', 'asc'],
      ['name', 'up'],
      ['', ''],
    ] as const)
      expect((await sort(by, direction)).statusCode).toBe(422)
    const theirs = await foldersByName(test.db, (await makeProject(test.db)).id)
    expect((await sort('name', 'asc', theirs.Budget)).statusCode).toBe(404)
    expect((await sort('name', 'asc', folders.Budget, investor.visitor)).statusCode).toBe(403)
    expect((await sort('name', 'asc')).json()).toEqual(NOTHING)
  })
})
