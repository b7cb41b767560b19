import { generateKeyBetween } from 'fractional-indexing'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeManyFiles, makeProject, makeUserFolder } from '../../../test/make.ts'
import type { Visitor } from '../../../test/visitor.ts'
import { fileUrls, urls } from '../../urls.ts'
import { keepHouse } from '../../work.ts'

let test: TestApp
let anna: Entered
let mette: Entered
let administrator: Visitor
let project: number
let folders: Record<string, number>
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  anna = await enter(test, 'employee', { name: 'Anna Berg' })
  mette = await enter(test, 'employee', { name: 'Mette Holm' })
  administrator = (await enter(test, 'administrator')).visitor
})
beforeEach(async () => {
  project = (await makeProject(test.db)).id
  folders = await foldersByName(test.db, project)
})

const put = (folder: string, count: number) => makeManyFiles(test.db, folders[folder]!, count)
const owner = () => ({ project })

/** Does something, and returns the id to take it back by. */
async function act(url: string, fields: object = {}, { visitor } = anna): Promise<string> {
  const reply = await visitor.post(url, { ...fields }, { script: true })
  expect([reply.statusCode, reply.json()]).toMatchObject([200, { success: true }])
  return reply.json<{ undo: string }>().undo
}
const many = (what: Parameters<typeof fileUrls.many>[1], fields: object, who = anna) =>
  act(fileUrls.many(owner(), what), fields, who)
const move = (files: number[], folder: string, who = anna) =>
  many('move', { files, folder_id: folders[folder] }, who)
const up = (file: number, who = anna) => act(fileUrls.moveUp(owner(), file), {}, who)
const rename = (file: number, name: string, who = anna) => act(fileUrls.rename(owner(), file), { name }, who)

async function undo(id: string, { visitor }: Pick<Entered, 'visitor'> = anna): Promise<[number, string?]> {
  const reply = await visitor.post(urls.undo(id), {}, { script: true })
  const { message } = reply.json<{ message?: string }>()
  return message === undefined ? [reply.statusCode] : [reply.statusCode, message]
}

/** Everything about the project's files, as it must be again. */
async function state() {
  const { rows } = await sql<{ id: number }>`
    select files.id, folder_id, position, files.name, period, is_period_given, deleted_at::text, deleted_by, shown_at::text
    from files join folders on folders.id = folder_id where project_id = ${project}
    order by folder_id, position`.execute(test.db)
  return rows
}
const order = async (folder: string) => {
  const { rows } = await sql<{ id: number }>`
    select id from files where folder_id = ${folders[folder]!} and deleted_at is null order by position`.execute(
    test.db,
  )
  return rows.map(({ id }) => id)
}
const counts = async () => {
  const { rows } = await sql`
    select id, files_count, shown_count from folders where project_id = ${project} order by id`.execute(
    test.db,
  )
  return rows
}
const lastActs = async () => {
  const { rows } = await sql<{ act: string; file_id: number; folder_id: number; detail: string | null }>`
    select act, file_id, folder_id, detail from log where project_id = ${project} and detail = 'undo' order by id`.execute(
    test.db,
  )
  return rows.map((row) => [row.act, row.file_id, row.folder_id])
}

describe('undoing an act', () => {
  type Case = [string, (files: number[]) => Promise<string>, string]
  it.each<Case>([
    [
      'moving one',
      ([a]) => act(urls.moveFile(project), { file_id: a, folder_id: folders.Diverse }),
      'file-moved',
    ],
    ['moving many', (ids) => move(ids.slice(1, 4), 'Diverse'), 'file-moved'],
    ['moving to a shared folder', async () => move(await order('Diverse'), 'Forsikring'), 'file-moved'],
    ['moving up', ([, b]) => up(b!), 'file-sorted'],
    ['moving down', ([a]) => act(fileUrls.moveDown(owner(), a!)), 'file-sorted'],
    [
      'a new order',
      (ids) =>
        act(fileUrls.updateOrder(owner(), folders.Budget!), { newOrder: ids.slice(0, 4).toReversed() }),
      'file-sorted',
    ],
    [
      'sorting',
      () => act(fileUrls.sort(owner(), folders.Budget!), { by: 'name', direction: 'desc' }),
      'file-sorted',
    ],
    ['to the top', ([, , c, d]) => many('place', { files: [c, d], to: 'top' }), 'file-sorted'],
    ['to the bottom', ([a, , c]) => many('place', { files: [a, c], to: 'bottom' }), 'file-sorted'],
    ['deleting one', ([a]) => act(fileUrls.file(owner(), a!), { _method: 'DELETE' }), 'file-restored'],
    ['deleting many', (ids) => many('delete', { files: ids.slice(0, 3) }), 'file-restored'],
    ['restoring one', (ids) => act(fileUrls.restore(owner(), ids[4]!)), 'file-deleted'],
    ['restoring many', (ids) => many('restore', { files: ids.slice(4) }), 'file-deleted'],
    [
      'another period',
      ([, b]) => act(fileUrls.period(owner(), b!), { period: 'Q3 2026' }),
      'file-period-changed',
    ],
    ['renaming', ([, b]) => rename(b!, 'Nyt navn æøå#%? 2031.pdf'), 'file-renamed'],
  ])('undoing restores exactly the old state: %s', async (_what, work, log) => {
    const ids = await put('Budget', 6)
    await put('Diverse', 2)
    await many('delete', { files: ids.slice(4) }, mette)
    const [before, countsBefore] = [await state(), await counts()]
    const id = await work(ids)
    const changed = (await state()).filter((row) => !before.some((old) => isSame(old, row)))
    expect(changed.length).toBeGreaterThan(0)
    expect(await undo(id)).toEqual([200])
    expect([await state(), await counts()]).toEqual([before, countsBefore])
    const acts = await lastActs()
    expect(acts.map(([each]) => each)).toEqual(changed.map(() => log))
    expect(new Set(acts.map(([, file]) => file))).toEqual(new Set(changed.map(({ id: file }) => file)))
    expect(await undo(id)).toEqual([409, 'Det er allerede fortrudt.'])
    expect(await state()).toEqual(before)
  })

  it('undoes an act once, however many ask at the same time', async () => {
    const ids = await put('Budget', 3)
    const id = await move(ids, 'Diverse')
    const answers = await Promise.all(Array.from({ length: 4 }, () => undo(id)))
    expect(answers.map(([code]) => String(code)).toSorted()).toEqual(['200', '409', '409', '409'])
    expect(await lastActs()).toHaveLength(3)
  })

  it('undoes several acts step by step', async () => {
    const ids = await put('Budget', 4)
    const before = await state()
    const undos = [
      await up(ids[2]!),
      await up(ids[2]!),
      await rename(ids[2]!, 'Andet.pdf'),
      await move(ids.slice(1, 3), 'Diverse'),
      await many('place', { files: [ids[2]], to: 'bottom' }),
      await many('delete', { files: [ids[2]] }),
    ]
    for (const id of undos.toReversed()) expect(await undo(id)).toEqual([200])
    expect(await state()).toEqual(before)
  })

  it('undoing a move between people returns the files, with their old time of being shown', async () => {
    const [from, to] = [await enter(test, 'investor'), await enter(test, 'investor')]
    const ids = await makeManyFiles(test.db, await makeUserFolder(test.db, from.id), 2)
    const all = async () =>
      (
        await sql`select folder_id, position, shown_at::text from files where id = any (${ids}) order by id`.execute(
          test.db,
        )
      ).rows
    const before = await all()
    const id = await act(fileUrls.many({ user: from.id }, 'move'), { files: ids, user_id: to.id })
    expect(await undo(id)).toEqual([200])
    expect(await all()).toEqual(before)
    const { rows } = await sql<{ act: string; subject_user_id: number }>`
      select act, subject_user_id from log where file_id = ${ids[0]!} and detail = 'undo' order by id`.execute(
      test.db,
    )
    expect(rows.map((row) => [row.act, row.subject_user_id])).toEqual([
      ['file-moved-away', to.id],
      ['file-moved', from.id],
    ])
  })

  it('only the person who acted can undo, with the right, for a day', async () => {
    const [a, b] = (await put('Budget', 2)) as [number, number]
    const id = await move([a], 'Diverse')
    const gone = [404, 'Det kan ikke fortrydes længere.']
    expect(await undo(id, mette)).toEqual(gone)
    expect(await undo('x')).toEqual(gone)
    expect(await undo('00000000-0000-4000-8000-000000000000')).toEqual(gone)
    await sql`update users set role = 'auditor' where id = ${anna.id}`.execute(test.db)
    expect((await undo(id))[0]).toBe(403)
    await sql`update users set role = 'employee' where id = ${anna.id}`.execute(test.db)
    const old = await move([b], 'Diverse')
    await sql`update undos set made_at = now() - interval '24 hours 1 minute' where id = ${old}::uuid`.execute(
      test.db,
    )
    expect(await undo(old)).toEqual(gone)
    await sql`update undos set made_at = now() - interval '26 hours' where id = ${old}::uuid`.execute(test.db)
    await keepHouse(test)
    const { rows } = await sql<{ id: string }>`select id from undos where id in (${id}, ${old})`.execute(
      test.db,
    )
    expect(rows).toEqual([{ id }])
    expect(await undo(id)).toEqual([200])
  })
})

describe('undoing after a later change', () => {
  let [a, b, c] = [0, 0, 0]
  beforeEach(async () => {
    ;[a, b, c] = (await put('Budget', 3)) as [number, number, number]
    await put('Diverse', 2)
  })

  type Work = () => Promise<unknown>
  it.each<[string, Work, Work, string]>([
    ['a move by another move', () => move([a], 'Diverse'), () => move([a], 'Forsikring', mette), 'flyttet'],
    [
      'a move by sorting',
      () => move([a], 'Diverse'),
      () => many('place', { files: [a], to: 'bottom' }, mette),
      'sat på en anden plads',
    ],
    [
      'a move by deleting',
      () => move([a], 'Diverse'),
      () => many('delete', { files: [a] }, mette),
      'slettet',
    ],
    [
      'an order by another one',
      () => up(b),
      () => many('place', { files: [b], to: 'bottom' }, mette),
      'sat på en anden plads',
    ],
    ['an order by moving it away', () => up(b), () => move([b], 'Diverse', mette), 'flyttet'],
    [
      'deleting by restoring',
      () => many('delete', { files: [a] }),
      () => many('restore', { files: [a] }, mette),
      'gendannet',
    ],
    [
      'restoring by deleting',
      async () => (await many('delete', { files: [a] }), many('restore', { files: [a] })),
      () => many('delete', { files: [a] }, mette),
      'slettet',
    ],
    [
      'restoring by moving',
      async () => (await many('delete', { files: [a] }), many('restore', { files: [a] })),
      () => move([a], 'Diverse', mette),
      'flyttet',
    ],
    ['a name by another one', () => rename(b, 'Et.pdf'), () => rename(b, 'To.pdf', mette), 'omdøbt'],
  ])('refuses to undo %s, and names the change', async (_what, work, later, what) => {
    const id = (await work()) as string
    await later()
    const before = await state()
    const [code, message] = await undo(id)
    expect([code, message]).toEqual([
      409,
      expect.stringMatching(`^”.+\\.pdf” er siden ${what} af Mette Holm\\.$`),
    ])
    expect([await state(), await lastActs()]).toEqual([before, []])
  })

  it('counts the files that changed since', async () => {
    const ids = await put('Forsikring', 12)
    const id = await move(ids, 'Diverse')
    await move(ids.slice(3, 6), 'Budget', mette)
    expect(await undo(id)).toEqual([
      409,
      '3 af 12 filer er ændret siden: ”Bilag 4.pdf” er flyttet af Mette Holm.',
    ])
    expect(await order('Forsikring')).toEqual([])
  })

  it('names one’s own later change, and ignores changes of neighbours', async () => {
    const id = await move([a], 'Diverse')
    await up((await order('Diverse'))[1]!)
    expect(await undo(id)).toEqual([200]) // a neighbour is not this file
    const again = await move([a], 'Diverse')
    await rename(a, 'Ny.pdf')
    await many('delete', { files: [a] })
    expect(await undo(again)).toEqual([409, '”Ny.pdf” er siden slettet af dig.'])
  })

  it('refuses to undo if a file was deleted for good', async () => {
    const id = await many('delete', { files: [a, b] })
    await administrator.post(fileUrls.many(owner(), 'remove'), { files: [a] }, { script: true })
    const [code, message] = await undo(id)
    expect([code, message]).toEqual([
      409,
      expect.stringMatching(/^En af filerne er siden slettet for altid af /),
    ])
    expect(await order('Budget')).toEqual([c])
  })

  it('refuses to undo if the trash was emptied', async () => {
    const id = await many('delete', { files: [a] })
    await sql`delete from files where id = ${a}`.execute(test.db)
    expect((await undo(id))[0]).toBe(409)
  })

  it('a new name or a read since does not stop undoing a move', async () => {
    const id = await move([a, b], 'Diverse')
    await rename(a, 'Omdøbt.pdf', mette)
    expect(await undo(id)).toEqual([200])
    expect(await order('Budget')).toEqual([a, b, c])
  })

  it('a deleted or moved file does not stop undoing a new order', async () => {
    const ids = await put('Forsikring', 6)
    const id = await act(fileUrls.updateOrder(owner(), folders.Forsikring!), { newOrder: ids.toReversed() })
    await many('delete', { files: [ids[4]] }, mette)
    await move([ids[2]!], 'Budget', mette)
    const [newcomer] = (await put('Forsikring', 1)) as [number]
    expect(await undo(id)).toEqual([200])
    await many('restore', { files: [ids[4]] })
    expect((await order('Forsikring')).filter((file) => file !== newcomer)).toEqual(ids.toSpliced(2, 1))
  })

  it('refuses to undo a move if the old folder is gone', async () => {
    const id = await move([a, b, c], 'Diverse')
    await administrator.post(`/projects/${project}/folders/${folders.Budget}/remove`, {}, { script: true })
    expect(await undo(id)).toEqual([409, 'Den mappe, som filerne lå i, er siden slettet.'])
  })

  it('refuses to undo if investors would see what they did not see before', async () => {
    const [hidden] = (await put('Finansiering', 1)) as [number]
    const id = await move([hidden], 'Diverse')
    await sql`update folders set visible_to_investors = true where id = ${folders.Finansiering!}`.execute(
      test.db,
    )
    expect(await undo(id)).toEqual([
      409,
      'Mappen ”Finansiering” deles nu med investorer. Flyt selv filerne tilbage, hvis de må se dem.',
    ])
    expect(await order('Finansiering')).toEqual([])
    // What they saw before they may see again.
    const other = await move([a], 'Diverse')
    expect(await undo(other)).toEqual([200])
  })
})

describe('the old place of a file', () => {
  it('an undone file stands beside the file that has its place now, in the old order', async () => {
    const [a, b, c, d] = (await put('Budget', 4)) as [number, number, number, number]
    const [x] = (await put('Diverse', 1)) as [number]
    const position = async (id: number) =>
      (await sql<{ position: string }>`select position from files where id = ${id}`.execute(test.db)).rows[0]!
        .position
    const [ofB, ofC] = [await position(b), await position(c)]
    const first = await move([b], 'Diverse')
    const second = await move([c], 'Diverse')
    await sql`update files set folder_id = ${folders.Budget!}, position = ${ofB} where id = ${x}`.execute(
      test.db,
    )
    expect(await undo(first)).toEqual([200])
    expect(await undo(second)).toEqual([200])
    expect(await order('Budget')).toEqual([a, x, b, c, d])
    expect(await position(c)).toBe(ofC)
  })

  it('finds the old place after the keys around it were renewed', async () => {
    const ids = await put('Budget', 8)
    const undone = [ids[2]!, ids[3]!, ids[6]!]
    const id = await move(undone, 'Diverse')
    const sorted = await up(ids[5]!)
    // As after a few hundred moves to the same place.
    const { rows } = await sql<{ position: string }>`
      select position from files where folder_id = ${folders.Budget!} order by position`.execute(test.db)
    let [low, high] = [rows[0]!.position, rows[1]!.position]
    while (high.length <= 62) high = generateKeyBetween(low, high)
    low = generateKeyBetween(low, high)
    await sql`update files set position = ${high} where id = ${ids[1]!}`.execute(test.db)
    await sql`update files set position = ${low} where id = ${ids[7]!}`.execute(test.db)
    for (let round = 0; (await longest()) > 24; round++) {
      expect(round).toBeLessThan(12)
      await up((await order('Budget'))[2]!, mette)
    }
    await undo(sorted).then((answer) => expect(answer).toEqual([200]))
    expect(await undo(id)).toEqual([200])
    const now = await order('Budget')
    const unmoved = [ids[0], ids[2], ids[3], ids[4], ids[5], ids[6]]
    expect(now.filter((file) => unmoved.includes(file))).toEqual(unmoved)
  })

  async function longest(): Promise<number> {
    const { rows } = await sql<{ longest: number }>`
      select max(length(position)) as longest from files where folder_id = ${folders.Budget!}`.execute(
      test.db,
    )
    return rows[0]!.longest
  }
})

describe('what is new to investors', () => {
  it('undoing a move hides a shown file again; a read file stays read', async () => {
    const investor = await enter(test, 'investor')
    await sql`insert into project_members (project_id, user_id, since) values (${project}, ${investor.id}, '-infinity')`.execute(
      test.db,
    )
    const shown = await makeFile(test, folders.Budget!)
    const isNew = async () => {
      const { data } = (await investor.visitor.get(fileUrls.list(owner(), folders.Budget!))).json<{
        data: { id: number; is_new: boolean }[]
      }>()
      return data.map(({ id, is_new: is }) => [id, is])
    }
    expect(await isNew()).toEqual([[shown.id, true]])
    await investor.visitor.get(fileUrls.open(owner(), shown.path))
    expect(await isNew()).toEqual([[shown.id, false]])
    const id = await move([shown.id], 'Diverse')
    expect(await isNew()).toEqual([])
    expect(await undo(id)).toEqual([200])
    expect(await isNew()).toEqual([[shown.id, false]])
  })

  it('undoing a move keeps a file published that was published after the move', async () => {
    const [a] = (await put('Diverse', 1)) as [number]
    const id = await move([a], 'Budget')
    await sql`update files set shown_at = now() + interval '1 second' where id = ${a}`.execute(test.db)
    const before = await sql`select shown_at::text from files where id = ${a}`.execute(test.db)
    expect(await undo(id)).toEqual([200])
    expect((await sql`select shown_at::text from files where id = ${a}`.execute(test.db)).rows).toEqual(
      before.rows,
    )
  })
})

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
