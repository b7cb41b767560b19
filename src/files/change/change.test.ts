import { generateKeyBetween } from 'fractional-indexing'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter } from '../../../test/enter.ts'
import {
  foldersByName,
  makeFile,
  makeFiles,
  makeManyFiles,
  makeProject,
  makeUser,
  makeUserFolder,
} from '../../../test/make.ts'
import { Visitor } from '../../../test/visitor.ts'
import type { Page } from '../../base/pagination.ts'
import { keepHouse } from '../../work.ts'
import type { DeletedFile } from '../file/stored-file.ts'

/** The answer to an act that can be undone. */
const DONE = { success: true, undo: expect.stringMatching(/^[0-9a-f-]{36}$/) as string }

let test: TestApp
let office: Visitor
let administrator: Visitor
let project: number
let folders: Record<string, number>

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = await enter(test, 'employee').then(({ visitor }) => visitor)
  administrator = await enter(test, 'administrator').then(({ visitor }) => visitor)
})

beforeEach(async () => {
  project = (await makeProject(test.db)).id
  folders = await foldersByName(test.db, project)
})

const put = (folder: string, count = 1) => putInto(folders[folder]!, count)

const putInto = (folder: number, count: number) => makeManyFiles(test.db, folder, count)

type Fields = Record<string, unknown>
const post = (url: string, fields: Fields = {}, visitor = office) =>
  visitor.post(url, fields, { script: true })
const api = (rest: string, of = project) => `/api/projects/${of}/${rest}`
const answer = async (reply: Promise<{ statusCode: number; json: () => unknown }>) => {
  const { statusCode, json } = await reply
  return [statusCode, json()]
}

const live = async (folder: number) => {
  const { rows } = await sql<{ id: number }>`
    select id from files where folder_id = ${folder} and deleted_at is null order by position`.execute(
    test.db,
  )
  return rows.map(({ id }) => id)
}
const order = (folder: string) => live(folders[folder]!)
const countOf = async (folder: string) => {
  const row = await test.db
    .selectFrom('folders')
    .select('files_count')
    .where('id', '=', folders[folder]!)
    .executeTakeFirstOrThrow()
  return row.files_count
}
const acts = async () => {
  const entries = await test.db
    .selectFrom('log')
    .select(['act', 'file_id', 'folder_id'])
    .where('project_id', '=', project)
    .where('act', 'like', 'file-%' as never)
    .where('act', '<>', 'file-added')
    .orderBy('id')
    .execute()
  return entries.map((entry) => [entry.act, entry.file_id, entry.folder_id])
}
const written = async (work: () => Promise<unknown>) => {
  const versions = async () => {
    const { rows } = await sql<{
      id: number
      version: string
    }>`select id, xmin::text as version from files`.execute(test.db)
    return new Map(rows.map(({ id, version }) => [id, version]))
  }
  const before = await versions()
  await work()
  const after = await versions()
  return [...after].filter(([id, version]) => before.get(id) !== version).map(([id]) => id)
}

describe('S7.7 move-up and move-down', () => {
  it('moves a file one place up or down, and answers whether it moved', async () => {
    const [a, b, c] = (await put('Budget', 3)) as [number, number, number]
    expect(await answer(post(api(`file/${c}/move-up`)))).toEqual([200, DONE])
    expect(await order('Budget')).toEqual([a, c, b])
    expect(await answer(post(api(`file/${a}/move-down`)))).toEqual([200, DONE])
    expect(await order('Budget')).toEqual([c, a, b])
    expect(await answer(post(api(`file/${c}/move-up`)))).toEqual([200, { success: false, undo: null }])
    expect(await answer(post(api(`file/${b}/move-down`)))).toEqual([200, { success: false, undo: null }])
    expect(await order('Budget')).toEqual([c, a, b])
    expect(await acts()).toEqual([
      ['file-sorted', c, folders.Budget],
      ['file-sorted', a, folders.Budget],
    ])
  })

  it('moving up or down writes one row, and skips deleted files', async () => {
    const [a, b, c, d] = (await put('Budget', 4)) as [number, number, number, number]
    await office.post(api(`file/${b}`), {}, { script: true, method: 'DELETE' })
    await office.post(api(`file/${c}`), {}, { script: true, method: 'DELETE' })
    expect(await written(() => post(api(`file/${d}/move-up`)))).toEqual([d])
    expect(await order('Budget')).toEqual([d, a])
    await post(api(`file/${b}/restore`))
    await post(api(`file/${c}/restore`))
    expect(await order('Budget')).toEqual([d, a, b, c])
  })

  it('answers 404 to move-up for a file that is deleted, missing or of another project', async () => {
    const [a, b] = (await put('Budget', 2)) as [number, number]
    await office.post(api(`file/${a}`), {}, { script: true, method: 'DELETE' })
    const other = await makeProject(test.db)
    for (const url of [
      api(`file/${a}/move-up`),
      api(`file/${b}/move-up`, other.id),
      api('file/99999999/move-down'),
      api('file/x/move-down'),
      api(`file/${b}/move-up`, 99999),
    ])
      expect((await post(url)).statusCode).toBe(404)
  })

  it('keys stay short and few other rows are written when the same place is used endlessly', async () => {
    const ids = await put('Budget', 300)
    const pair = [ids[101]!, ids[102]!] // the two swap places again and again, and so have less and less room
    // As after 360 swaps, which need not all go through the server.
    const { rows: places } = await sql<{ position: string }>`
      select position from files where id = any (${ids.slice(100, 103)}) order by position`.execute(test.db)
    const above = places[0]!.position
    let [first, second] = [places[1]!.position, places[2]!.position]
    for (let round = 0; round < 360; round++) [first, second] = [generateKeyBetween(above, first), first]
    for (const [index, position] of [first, second].entries())
      await test.db.updateTable('files').set({ position }).where('id', '=', pair[index]!).execute()
    const lengths: number[] = []
    const touched: number[] = []
    for (let round = 0; round < 90; round++) {
      const rows = await written(() => post(api(`file/${pair[(round + 1) % 2]}/move-up`)))
      touched.push(rows.length)
      const { position } = await test.db
        .selectFrom('files')
        .select('position')
        .where('id', '=', pair[(round + 1) % 2]!)
        .executeTakeFirstOrThrow()
      lengths.push(position.length)
    }
    expect(Math.max(...lengths)).toBe(64)
    expect(lengths.at(-1)).toBeLessThan(64)
    expect(touched.filter((count) => count > 1)).toEqual([64])
    expect(await order('Budget')).toEqual(ids)
  })
})

describe('S7.8 update-order', () => {
  const update = (ids: unknown, folder = folders.Budget, of = project) =>
    answer(post(api(`folder/${folder}/update-order`, of), { newOrder: ids }))

  it('accepts a new order of all files, and writes only those that moved', async () => {
    const [a, b, c, d] = (await put('Budget', 4)) as [number, number, number, number]
    expect(await written(async () => expect(await update([d, a, b, c])).toEqual([200, DONE]))).toEqual([d])
    expect(await order('Budget')).toEqual([d, a, b, c])
    expect(await acts()).toEqual([['file-sorted', d, folders.Budget]])
    await update([c, b, a, d])
    expect(await order('Budget')).toEqual([c, b, a, d])
  })

  it('accepts a new order of any part without gaps, and leaves the rest', async () => {
    const ids = await put('Budget', 8)
    const [a, b, c, d, e, f, g, h] = ids as [number, number, number, number, number, number, number, number]
    await update([e, c, d])
    expect(await order('Budget')).toEqual([a, b, e, c, d, f, g, h])
    await update([b, a])
    await update([h, g])
    expect(await order('Budget')).toEqual([b, a, e, c, d, f, h, g])
  })

  it('writes and logs nothing when the order stays the same', async () => {
    const ids = await put('Budget', 3)
    expect(await written(() => update(ids))).toEqual([])
    expect(await acts()).toEqual([])
  })

  it('a new order keeps deleted files in their places', async () => {
    const [a, b, c, d] = (await put('Budget', 4)) as [number, number, number, number]
    await office.post(api(`file/${b}`), {}, { script: true, method: 'DELETE' })
    await update([d, c, a])
    await post(api(`file/${b}/restore`))
    const now = await order('Budget')
    expect(now.filter((id) => id !== b)).toEqual([d, c, a])
    expect(now).toContain(b)
  })

  it('accepts a new order in a plain form, but not with the form’s field names in JSON', async () => {
    const [a, b] = (await put('Budget', 2)) as [number, number]
    const reply = await office.post(
      api(`folder/${folders.Budget}/update-order`),
      { 'newOrder[0]': b, 'newOrder[1]': a },
      { script: true },
    )
    expect(reply.statusCode).toBe(422) // JSON does not use the field names of a form
    const form = await office.post(
      api(`folder/${folders.Budget}/update-order`),
      `newOrder[0]=${b}&newOrder[1]=${a}` as never,
      { script: true, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    )
    expect(form.json()).toEqual(DONE)
    expect(await order('Budget')).toEqual([b, a])
  })

  it('accepts a new order of thousands of files that all move', async () => {
    const ids = await put('Budget', 3_000)
    await sql`analyze files`.execute(test.db) // as autovacuum does within a minute: checks of foreign keys keep old plans
    expect(await update(ids.toReversed())).toEqual([200, DONE])
    expect(await order('Budget')).toEqual(ids.toReversed())
  })

  const stale = [
    409,
    {
      success: false,
      message: 'En anden har ændret rækkefølgen. Listen er hentet igen.',
    },
  ]
  it('refuses an order with gaps or with repeated, foreign or deleted ids, and changes nothing', async () => {
    const [a, b, c, d] = (await put('Budget', 4)) as [number, number, number, number]
    const [elsewhere] = (await put('Diverse')) as [number]
    const theirs = await foldersByName(test.db, (await makeProject(test.db)).id)
    const [foreign] = (await putInto(theirs.Budget!, 1)) as [number]
    const all = [
      [a, c],
      [c, a],
      [a, a, b],
      [b, a, elsewhere],
      [b, a, foreign],
      [b, a, 99_999_999],
    ]
    for (const ids of all) expect(await update(ids)).toMatchObject(stale)
    await office.post(api(`file/${b}`), {}, { script: true, method: 'DELETE' })
    expect(await update([c, b, a])).toMatchObject(stale)
    expect(await order('Budget')).toEqual([a, c, d])
    expect((await acts()).map(([act]) => act)).toEqual(['file-deleted'])
  })

  it.each([[undefined], [[]], ['x'], [['x']], [[1.5]], [[-1]], [{ a: { b: 1 } }], [[null]]])(
    'names what is wrong with the order %j',
    async (ids) => {
      await put('Budget', 2)
      expect((await update(ids))[0]).toBe(422)
    },
  )

  it('answers 404 to a new order for a folder that is missing or of another project', async () => {
    const ids = await put('Budget', 2)
    const other = await makeProject(test.db)
    const theirs = await foldersByName(test.db, other.id)
    expect((await update(ids, folders.Budget, other.id))[0]).toBe(404)
    expect((await update(ids, theirs.Budget))[0]).toBe(404)
    expect((await update(ids, 99_999_999))[0]).toBe(404)
  })
})

describe('S7.9 move-file', () => {
  const move = (fields: Fields, of = project) => answer(post(api('move-file', of), fields))

  it('moves a file to the start of another folder: the counts change, its address stays', async () => {
    const [a, b] = (await put('Budget', 2)) as [number, number]
    const [c] = (await put('Diverse')) as [number]
    const { key } = await test.db
      .selectFrom('files')
      .select('key')
      .where('id', '=', a)
      .executeTakeFirstOrThrow()
    expect(await move({ file_id: a, folder_id: folders.Diverse })).toEqual([200, DONE])
    expect([await order('Budget'), await order('Diverse')]).toEqual([[b], [a, c]])
    expect([await countOf('Budget'), await countOf('Diverse')]).toEqual([1, 2])
    expect(await acts()).toEqual([['file-moved', a, folders.Diverse]])
    const now = await test.db.selectFrom('files').select('key').where('id', '=', a).executeTakeFirstOrThrow()
    expect(now.key).toBe(key)
  })

  it('places the moved file before deleted files at the start, which may be restored', async () => {
    const [a] = (await put('Budget')) as [number]
    const [b, c] = (await put('Diverse', 2)) as [number, number]
    await office.post(api(`file/${b}`), {}, { script: true, method: 'DELETE' })
    expect(await move({ file_id: a, folder_id: folders.Diverse })).toEqual([200, DONE])
    await post(api(`file/${b}/restore`))
    expect(await order('Diverse')).toEqual([a, b, c])
  })

  it('writes only the moved file', async () => {
    const [a] = (await put('Budget')) as [number]
    await put('Diverse', 3)
    expect(await written(() => move({ file_id: a, folder_id: folders.Diverse }))).toEqual([a])
  })

  it('moving a file to its own folder succeeds and changes nothing', async () => {
    const [a] = (await put('Budget', 2)) as [number]
    expect(await written(() => move({ file_id: a, folder_id: folders.Budget }))).toEqual([])
    expect(await acts()).toEqual([])
  })

  it('refuses to move a file into a shared folder if the page did not warn about it', async () => {
    const [a, b] = (await put('Diverse', 2)) as [number, number]
    expect((await move({ file_id: a, folder_id: folders.Budget, shares: false }))[0]).toBe(409)
    expect(await order('Diverse')).toEqual([a, b])
    expect((await move({ file_id: a, folder_id: folders.Budget, shares: 'true' }))[0]).toBe(200)
    expect((await move({ file_id: b, folder_id: folders.Bestyrelsesmøder, shares: false }))[0]).toBe(200)
    expect((await move({ file_id: a, folder_id: folders.Forsikring, shares: false }))[0]).toBe(200)
  })

  it('answers 404 for a deleted file, and for a file or folder that is missing or of another project', async () => {
    const [a, b] = (await put('Budget', 2)) as [number, number]
    const other = await makeProject(test.db)
    const theirs = await foldersByName(test.db, other.id)
    const [foreign] = (await putInto(theirs.Budget!, 1)) as [number]
    await office.post(api(`file/${b}`), {}, { script: true, method: 'DELETE' })
    for (const [file, folder, of] of [
      [a, theirs.Budget, project],
      [foreign, folders.Budget, project],
      [a, folders.Diverse, other.id],
      [b, folders.Diverse, project],
      [99_999_999, folders.Diverse, project],
      [a, 99_999_999, project],
    ])
      expect((await move({ file_id: file, folder_id: folder }, of))[0]).toBe(404)
    expect(await order('Budget')).toEqual([a])
  })

  it.each([{}, { file_id: 'x', folder_id: 1 }, { file_id: 1 }, { file_id: [1], folder_id: 1 }])(
    'names what is wrong with the move %j',
    async (fields) => {
      expect((await move(fields))[0]).toBe(422)
    },
  )
})

describe('S4.15 deleting a file', () => {
  const remove = (id: number, of = project) =>
    office.post(api(`file/${id}`, of), {}, { script: true, method: 'DELETE' })

  it('a deleted file leaves its folder, and the trash names who deleted it and when', async () => {
    const [a] = (await put('Budget')) as [number]
    expect(await answer(remove(a))).toEqual([200, DONE])
    expect([await order('Budget'), await countOf('Budget')]).toEqual([[], 0])
    const { data, meta } = (await office.get(api('trash'))).json<Page<DeletedFile>>()
    expect(meta.total).toBe(1)
    expect(data[0]).toMatchObject({
      id: a,
      name: 'Bilag 1.pdf',
      folder: { id: folders.Budget, name: 'Budget' },
      deleted_at: expect.stringMatching(/^\d{4}-/) as string,
      deleted_by: expect.stringMatching(/^Bruger/) as string,
    })
    expect(await acts()).toEqual([['file-deleted', a, folders.Budget]])
  })

  it('a form can delete a file, as POST with _method', async () => {
    const [a, b] = (await put('Budget', 2)) as [number, number]
    expect((await post(api(`file/${a}`), { _method: 'delete' })).json()).toEqual(DONE)
    expect((await post(api(`file/${b}`), {})).statusCode).toBe(404)
    expect(await order('Budget')).toEqual([b])
  })

  it('deleting a file twice answers 404 the second time, and logs it once', async () => {
    const [a] = (await put('Budget')) as [number]
    const replies = await Promise.all([remove(a), remove(a), remove(a)])
    expect(replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([
      200, 404, 404,
    ])
    expect(await acts()).toHaveLength(1)
  })

  it('a deleted file can be restored once, to its old folder and place', async () => {
    const [a, b, c] = (await put('Budget', 3)) as [number, number, number]
    await remove(b)
    expect(await answer(post(api(`file/${b}/restore`)))).toEqual([200, DONE])
    expect([await order('Budget'), await countOf('Budget')]).toEqual([[a, b, c], 3])
    expect((await post(api(`file/${b}/restore`))).statusCode).toBe(404)
    expect((await acts()).map(([act]) => act)).toEqual(['file-deleted', 'file-restored'])
  })

  it('a folder cannot be removed until its deleted files are gone for good', async () => {
    const [a] = (await put('Budget')) as [number]
    await remove(a)
    const removeFolder = () =>
      administrator.post(`/projects/${project}/folders/${folders.Budget}/remove`, {}, { script: true })
    const refused = await removeFolder()
    expect([refused.statusCode, refused.json<{ message: string }>().message]).toEqual([
      409,
      'Mappen Budget har filer i papirkurven. Gendan dem, eller slet dem for altid.',
    ])
    await administrator.post(api(`trash/${a}`), {}, { script: true, method: 'DELETE' })
    expect((await removeFolder()).statusCode).toBe(200)
  })
})

describe('deleting for good', () => {
  const forGood = (visitor: Visitor, id: number, of = project) =>
    visitor.post(api(`trash/${id}`, of), {}, { script: true, method: 'DELETE' })

  it('an administrator deletes a file in the trash for good, with its bytes', async () => {
    const file = await makeFile(test, folders.Budget!)
    const blob = await test.db
      .selectFrom('files')
      .innerJoin('blobs', 'blobs.id', 'files.blob_id')
      .select(['blobs.id', 'blobs.key'])
      .where('files.id', '=', file.id)
      .executeTakeFirstOrThrow()
    expect((await forGood(administrator, file.id)).statusCode).toBe(404)
    await office.post(api(`file/${file.id}`), {}, { script: true, method: 'DELETE' })
    expect((await forGood(office, file.id)).statusCode).toBe(403)
    expect((await forGood(administrator, file.id, (await makeProject(test.db)).id)).statusCode).toBe(404)
    expect((await forGood(administrator, file.id)).json()).toEqual({ success: true, undo: null })
    await expect(test.storage.open(blob.key)).rejects.toThrow('no bytes')
    expect(await test.db.selectFrom('blobs').selectAll().where('id', '=', blob.id).execute()).toEqual([])
    expect((await acts()).map(([act]) => act)).toEqual(['file-deleted', 'file-removed'])
    expect((await post(api(`file/${file.id}/restore`))).statusCode).toBe(404)
  })

  it('deletes files in the trash for good after 30 days, with their bytes, and not before', async () => {
    const [old, young] = [await makeFile(test, folders.Budget!), await makeFile(test, folders.Budget!)]
    for (const [file, days] of [
      [old, 31],
      [young, 29],
    ] as const) {
      await office.post(api(`file/${file.id}`), {}, { script: true, method: 'DELETE' })
      await sql`update files set deleted_at = now() - make_interval(days => ${days}) where id = ${file.id}`.execute(
        test.db,
      )
    }
    const blobs = await test.db
      .selectFrom('files')
      .innerJoin('blobs', 'blobs.id', 'files.blob_id')
      .select(['files.id', 'blobs.key'])
      .where('files.id', 'in', [old.id, young.id])
      .orderBy('files.id')
      .execute()
    expect((await keepHouse(test)).files).toBe(1)
    await expect(test.storage.open(blobs[0]!.key)).rejects.toThrow('no bytes')
    ;(await test.storage.open(blobs[1]!.key)).destroy()
    const { data } = (await office.get(api('trash'))).json<Page<DeletedFile>>()
    expect(data.map(({ id }) => id)).toEqual([young.id])
    expect((await acts()).at(-1)).toEqual(['file-removed', old.id, folders.Budget])
  })
})

describe('the trash', () => {
  it('S7.3 the trash can be searched, and refuses more than ten words, like every other list', async () => {
    const names = ['Budget (1) 2024.pdf', 'Årsrapport (1) 2024.pdf', 'Årsrapport (1) 2025.pdf']
    const { id } = await makeProject(test.db)
    const budget = (await foldersByName(test.db, id)).Budget!
    for (const name of names) {
      const file = await makeFile(test, budget, { name })
      await office.post(api(`file/${file.id}`, id), {}, { script: true, method: 'DELETE' })
    }
    const found = async (q: string) =>
      (await office.get(api(`trash?q=${encodeURIComponent(q)}`, id)))
        .json<Page<DeletedFile>>()
        .data.map(({ name }) => name)
    expect(await found('aarsrap 2025')).toEqual([names[2]])
    expect(await found('findes ikke')).toEqual([])
    expect(await found('')).toHaveLength(3)
    const page = await office.get(`/projects/${id}/trash?q=2025`)
    expect(names.filter((name) => page.body.includes(name))).toEqual([names[2]])

    const eleven = 'q=a+b+c+d+e+f+g+h+i+j+k'
    const { id: user } = await enter(test, 'investor')
    const lists = [
      '/api/projects',
      '/api/users',
      `/api/users/${user}/files`,
      `/api/users/${user}/folders`,
      `/api/users/${user}/trash`,
      ...['folders', 'folder-options', `folder/${budget}/files`, 'trash'].map((list) => api(list, id)),
    ]
    for (const list of lists) {
      const refused = await office.get(`${list}?${eleven}`)
      expect([list, refused.statusCode, refused.json()]).toMatchObject([
        list,
        422,
        { errors: { q: ['Søg højst efter 10 ord ad gangen.'] } },
      ])
      const none = await office.get(`${list}?q=findes+slet+ikke`)
      expect([list, none.json<Page<unknown>>().meta.total]).toEqual([list, 0])
    }
    expect((await office.get(`/projects/${id}/trash?${eleven}`)).body).toContain(
      'Søg højst efter 10 ord ad gangen.',
    )
  })

  it('the trash shows the newest deletions of its project first, 25 per page', async () => {
    const ids = await put('Budget', 27)
    for (const id of ids) await office.post(api(`file/${id}`), {}, { script: true, method: 'DELETE' })
    const page = async (number: number) =>
      (await office.get(api(`trash?page=${number}`))).json<Page<DeletedFile>>()
    expect((await page(1)).data.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 25))
    expect((await page(2)).data).toHaveLength(2)
    const { id } = await makeProject(test.db)
    expect((await office.get(api('trash', id))).json<Page<DeletedFile>>().meta.total).toBe(0)
  })

  it('only the office sees the trash, and a missing project answers 404', async () => {
    expect(
      (await (await enter(test, 'investor').then(({ visitor }) => visitor)).get(api('trash'))).statusCode,
    ).toBe(403)
    expect((await office.get(api('trash', 99_999_999))).statusCode).toBe(404)
    expect((await office.get('/projects/99999999/trash')).statusCode).toBe(404)
    expect((await office.get(`/projects/${project}/trash`)).statusCode).toBe(200)
  })
})

describe('a person’s files', () => {
  it('a person’s files are sorted, deleted and restored like a project’s', async () => {
    const { id: user } = await makeUser(test.db)
    const folder = await makeUserFolder(test.db, user)
    const [a, b, c] = (await putInto(folder, 3)) as [number, number, number]
    const theirs = (rest: string) => `/api/users/${user}/${rest}`
    expect((await post(theirs(`file/${c}/move-up`))).json()).toEqual(DONE)
    expect(await live(folder)).toEqual([a, c, b])
    expect((await post(theirs(`folder/${folder}/update-order`), { newOrder: [b, a, c] })).statusCode).toBe(
      200,
    )
    expect(await live(folder)).toEqual([b, a, c])
    await office.post(theirs(`file/${a}`), {}, { script: true, method: 'DELETE' })
    expect((await office.get(theirs('trash'))).json<Page<DeletedFile>>().data.map(({ id }) => id)).toEqual([
      a,
    ])
    await post(theirs(`file/${a}/restore`))
    expect(await live(folder)).toEqual([b, a, c])
    const { id: other } = await makeUser(test.db)
    expect((await post(`/api/users/${other}/file/${a}/move-up`)).statusCode).toBe(404)
    expect((await post(api(`file/${a}/move-up`))).statusCode).toBe(404)
    const { rows } = await sql<{ act: string }>`
      select act from log where subject_user_id = ${user} and file_id = ${a} order by id`.execute(test.db)
    expect(rows.map(({ act }) => act)).toEqual(['file-added', 'file-deleted', 'file-restored'])
  })
})

it('a new file never gets bytes that are being removed', async () => {
  const [a] = (await put('Budget')) as [number]
  const { blob_id: blobId } = await test.db
    .selectFrom('files')
    .select('blob_id')
    .where('id', '=', a)
    .executeTakeFirstOrThrow()
  await sql`delete from files where id = ${a}`.execute(test.db)
  await sql`update blobs set state = 'removing' where id = ${blobId}`.execute(test.db)
  await expect(makeFiles(test.db, folders.Budget!, [{ name: 'Igen.pdf', blobId }])).rejects.toThrow(
    'En af filerne er ikke længere på serveren.',
  )
})

it('the counts of folders and project stay right after all kinds of changes', async () => {
  const ids = await put('Budget', 6)
  await post(api('move-file'), { file_id: ids[0], folder_id: folders.Diverse })
  await office.post(api(`file/${ids[1]}`), {}, { script: true, method: 'DELETE' })
  await office.post(api(`file/${ids[2]}`), {}, { script: true, method: 'DELETE' })
  await post(api(`file/${ids[2]}/restore`))
  await administrator.post(api(`trash/${ids[1]}`), {}, { script: true, method: 'DELETE' })
  expect([await countOf('Budget'), await countOf('Diverse')]).toEqual([4, 1])
  const { files_count: count } = await test.db
    .selectFrom('projects')
    .select('files_count')
    .where('id', '=', project)
    .executeTakeFirstOrThrow()
  expect(count).toBe(5)
})

describe('the queries of an act', () => {
  it('deletes a file that is moved to another folder while the deletion waits', async () => {
    const [file] = (await put('Budget')) as [number]
    const { Budget: from, Diverse: to } = folders as { Budget: number; Diverse: number }
    const deletion = await test.db.transaction().execute(async (trx) => {
      await sql`select from folders where id in (${from}, ${to}) order by id for update`.execute(trx)
      await sql`update files set folder_id = ${to} where id = ${file}`.execute(trx)
      const answered = post(api(`file/${file}`), { _method: 'DELETE' })
      await expect.poll(countWaiting).toBe(1)
      return { answered } // a bare promise would be awaited before the commit
    })
    expect(await answer(deletion.answered)).toEqual([200, DONE])
    expect(await acts()).toEqual([['file-deleted', file, to]])
    expect([await countOf('Budget'), await countOf('Diverse')]).toEqual([0, 0])
  })
})

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(test.db)
  return rows[0]!.count
}
