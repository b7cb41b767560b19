import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { asOwner } from '../../test/database.ts'
import { FIRST_FOLDERS } from '../../test/office/first-folders.ts'
import { makeProject, makeUser, PASSWORD } from '../../test/make.ts'
import { Visitor } from '../../test/visitor.ts'
import type { Folder, FolderSet } from './folder.ts'
import { listFolders } from './folders.db.ts'

let test: TestApp
let admin: Visitor
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  const { email } = await makeUser(test.db, { role: 'administrator' })
  admin = new Visitor(test.app)
  await admin.signIn(email, PASSWORD)
})

const names = async (set: FolderSet) => (await listFolders(test.db, set)).map(({ name }) => name)
const script = { script: true }

async function folderNamed(set: FolderSet, name: string): Promise<Folder> {
  return (await listFolders(test.db, set)).find((folder) => folder.name === name)!
}

const addressOf = (set: FolderSet) => (set === 'template' ? '/settings/folders' : `/projects/${set}/folders`)

const freshSet = async (kind: string): Promise<FolderSet> =>
  kind === 'template' ? 'template' : (await makeProject(test.db)).id

describe.each(['project', 'template'])('the folders of a %s', (kind) => {
  it('starts with the standard folders', async () => {
    expect(await names(await freshSet(kind))).toEqual(FIRST_FOLDERS)
  })

  it('folders are added at the end, renamed, moved and removed, and each change is logged', async () => {
    const set = await freshSet(kind)
    const address = addressOf(set)
    const { id: lastLogged } = await test.db
      .selectFrom('log')
      .select((is) => is.fn.max('id').as('id'))
      .executeTakeFirstOrThrow()
    const added = await admin.post(
      address,
      { name: 'Ny  mappe', sub_names: { 0: 'Nyt', 1: ' ', 2: 'A\u030arligt' }, visible_to_investors: '1' },
      script,
    )
    expect(added.json().redirect).toBe(address)
    expect(added.json().folders.at(-1)).toMatchObject({
      name: 'Ny mappe',
      sub_names: ['Nyt', 'Årligt'],
      visible_to_investors: true,
      files_count: 0,
    })
    const { id } = await folderNamed(set, 'Ny mappe')
    await admin.post(`${address}/${id}`, { name: 'Nyere' }, script)
    expect(await folderNamed(set, 'Nyere')).toMatchObject({ sub_names: [], visible_to_investors: false })
    await admin.post(`${address}/${id}/move`, { to: 'up' }, script)
    expect((await names(set)).slice(-2)).toEqual(['Nyere', 'Diverse'])
    await admin.post(`${address}/${id}/move`, { after: '' }, script)
    expect((await names(set))[0]).toBe('Nyere')
    const { id: budget } = await folderNamed(set, 'Budget')
    const moved = await admin.post(`${address}/${id}/move`, { after: String(budget) }, script)
    expect(
      moved
        .json()
        .folders.map((folder: Folder) => folder.name)
        .slice(2, 5),
    ).toEqual(['Budget', 'Nyere', 'Generalforsamling'])
    await admin.post(`${address}/${id}/remove`, {}, script)
    expect(await names(set)).toEqual(FIRST_FOLDERS)
    const log = await test.db
      .selectFrom('log')
      .select(['act', 'project_id'])
      .where('id', '>', lastLogged)
      .where('folder_id', '=', id)
      .orderBy('id')
      .execute()
    expect(log.map(({ act }) => act)).toEqual([
      'folder-added',
      'folder-changed',
      'folder-unshared',
      'folder-moved',
      'folder-moved',
      'folder-moved',
      'folder-removed',
    ])
    expect(log[0]!.project_id).toBe(set === 'template' ? null : set)
  })

  it('sharing and unsharing a folder are logged as separate acts, and a rename with both names', async () => {
    const project = (await makeProject(test.db)).id
    const { id, ...was } = await folderNamed(project, 'Diverse')
    expect(was.visible_to_investors).toBe(false)
    const lately = async () => {
      const rows = await test.db
        .selectFrom('log')
        .leftJoin('log_names', 'log_names.log_id', 'log.id')
        .select(['act', 'before', 'after'])
        .where('folder_id', '=', id)
        .orderBy('log.id')
        .execute()
      await asOwner(test.db, sql`delete from log where folder_id = ${id}`)
      return rows.map(({ act, before, after }) => (before === null ? act : `${act}: ${before} > ${after}`))
    }
    const save = (fields: Record<string, unknown>) =>
      admin.post(`/projects/${project}/folders/${id}`, fields, script)
    await save({ name: 'Diverse', visible_to_investors: 'on' })
    expect(await lately()).toEqual(['folder-shared'])
    await save({ name: 'Diverse', visible_to_investors: 'on' })
    expect(await lately()).toEqual([])
    await save({ name: 'Andet', sub_names: ['Rester'] })
    expect(await lately()).toEqual(['folder-changed: Diverse > Andet', 'folder-unshared'])
    await save({ name: 'Andet' })
    expect(await lately()).toEqual(['folder-changed'])
  })

  it.each([
    ['a folder’s name', { name: 'Budget' }, { name: ['Der er allerede en mappe, der hedder Budget.'] }],
    ['a name, decomposed', { name: 'A\u030arsrapport' }, { name: [/Årsrapport/] }],
    ['a name with other spaces', { name: ' Årsrapport\u00a0 2020' }, { name: [/Årsrapport/] }],
    [
      'a sub name that is another’s name',
      { name: 'Ny', sub_names: ['Frit', 'Diverse'] },
      { 'sub_names.1': ['Mappen Diverse bruger allerede navnet Diverse.'] },
    ],
    [
      'a sub name that is another’s sub name',
      { name: 'Ny', sub_names: ['Årsrapport KS'] },
      { 'sub_names.0': [/Mappen Årsrapport/] },
    ],
    [
      'a name twice in the form',
      { name: 'Ny', sub_names: ['Ny'] },
      { 'sub_names.0': ['Du har skrevet Ny to gange.'] },
    ],
    ['no name', { name: '' }, { name: ['Navnet skal udfyldes.'] }],
    ['a name of 300 characters', { name: 'x'.repeat(300) }, { name: ['Navnet må højst være på 100 tegn.'] }],
    ['parentheses', { name: 'Møder (2020)' }, { name: [/parenteser/] }],
    ['a slash in a sub name', { name: 'Ny', sub_names: ['a/b'] }, { 'sub_names.0': [/skråstreger/] }],
    [
      'too many sub names',
      { name: 'Ny', sub_names: Array.from({ length: 51 }, String) },
      { sub_names: [/50/] },
    ],
    [
      'sharing that is neither on nor off',
      { name: 'Ny', visible_to_investors: 'måske' },
      { visible_to_investors: [/til eller fra/] },
    ],
  ])('refuses a folder with %s', async (_what, fields, errors) => {
    const set = await freshSet(kind)
    const before = await listFolders(test.db, set)
    const answer = await admin.post(addressOf(set), fields, script)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toEqual(
      Object.fromEntries(
        Object.entries(errors as Record<string, (string | RegExp)[]>).map(([name, list]) => [
          name,
          list.map((text) => expect.stringMatching(text)),
        ]),
      ),
    )
    expect(await listFolders(test.db, set)).toEqual(before)
  })

  it('refuses a name clash on renaming too, and lets a folder keep its own names', async () => {
    const set = await freshSet(kind)
    const { id } = await folderNamed(set, 'Budget')
    const save = (fields: Record<string, unknown>) => admin.post(`${addressOf(set)}/${id}`, fields, script)
    expect((await save({ name: 'Diverse' })).statusCode).toBe(422)
    expect((await save({ name: 'Budget', sub_names: ['Årsrapport 2020'] })).statusCode).toBe(422)
    expect(
      (await save({ name: 'Budget', sub_names: ['Budgetter'], visible_to_investors: true })).statusCode,
    ).toBe(200)
    expect(
      (await save({ name: 'Budgetter', sub_names: ['Budget'], visible_to_investors: true })).statusCode,
    ).toBe(200)
    await save({ name: 'Budget', visible_to_investors: true })
    expect(await names(set)).toEqual(FIRST_FOLDERS)
  })

  it('refuses a name clash also when several people cause it at the same time', async () => {
    const set = await freshSet(kind)
    const add = (fields: Record<string, unknown>) => admin.post(addressOf(set), fields, script)
    const answers = await Promise.all([
      add({ name: 'Samme' }),
      add({ name: 'Anden', sub_names: ['Samme'] }),
      add({ name: 'Tredje', sub_names: ['x', 'Samme'] }),
      add({ name: 'Samme ' }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 422, 422, 422])
    const added = (await names(set)).slice(FIRST_FOLDERS.length)
    expect(added).toHaveLength(1)
    await admin.post(`${addressOf(set)}/${(await folderNamed(set, added[0]!)).id}/remove`, {}, script)
  })

  it('all folders can be moved at the same time, and none is lost', async () => {
    const set = await freshSet(kind)
    const folders = await listFolders(test.db, set)
    const moves = folders
      .slice(1)
      .map(({ id }) => admin.post(`${addressOf(set)}/${id}/move`, { to: 'up' }, script))
    expect((await Promise.all(moves)).every(({ statusCode }) => [200, 409].includes(statusCode))).toBe(true)
    expect((await names(set)).toSorted()).toEqual(FIRST_FOLDERS.toSorted())
    for (const [index, name] of FIRST_FOLDERS.entries()) {
      const after = index === 0 ? '' : (await folderNamed(set, FIRST_FOLDERS[index - 1]!)).id
      await admin.post(`${addressOf(set)}/${(await folderNamed(set, name)).id}/move`, { after }, script)
    }
    expect(await names(set)).toEqual(FIRST_FOLDERS)
  })

  it.each([
    ['up from the first place', FIRST_FOLDERS[0]!, { to: 'up' }, 409],
    ['down from the last', FIRST_FOLDERS.at(-1)!, { to: 'down' }, 409],
    ['after a folder that is not there', 'Budget', { after: '999999' }, 409],
    ['sideways', 'Budget', { to: 'left' }, 422],
    ['nowhere', 'Budget', {}, 422],
  ])('a folder is not moved %s', async (_what, name, move, status) => {
    const set = await freshSet(kind)
    const { id } = await folderNamed(set, name)
    expect((await admin.post(`${addressOf(set)}/${id}/move`, move, script)).statusCode).toBe(status)
    expect(await names(set)).toEqual(FIRST_FOLDERS)
  })

  it.each(['', '/move', '/remove'])(
    'a folder is not found by the id of a folder in another set: %j',
    async (act) => {
      const set = await freshSet(kind)
      const other = kind === 'template' ? (await makeProject(test.db)).id : 'template'
      const { id } = await folderNamed(other, 'Budget')
      const before = await listFolders(test.db, other)
      for (const each of [id, 0, 'abc', 999_999]) {
        const answer = await admin.post(
          `${addressOf(set)}/${each}${act}`,
          { name: 'Stjålet', to: 'up' },
          script,
        )
        expect(answer.statusCode).toBe(404)
      }
      expect(await listFolders(test.db, other)).toEqual(before)
    },
  )

  it('without JavaScript a refused form is shown again at its folder, and a button removes a sub name', async () => {
    const set = await freshSet(kind)
    const { id } = await folderNamed(set, 'Årsrapport')
    const address = `${addressOf(set)}/${id}`
    expect((await admin.get(`${addressOf(set)}?edit=${id}`)).body).toContain('Gem mappe')
    const refused = await admin.post(address, { name: 'Budget', sub_names: ['Årligt'] })
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toContain('Der er allerede en mappe')
    expect(refused.body).toContain('value="Årligt"')
    const names0 = { 0: 'Årsrapport 2020', 1: 'Årsrapport KS', 2: '' }
    const fields = { name: 'Årsrapport', sub_names: names0, visible_to_investors: '1' }
    expect((await admin.post(address, { ...fields, without: 'Årsrapport KS' })).headers.location).toBe(
      addressOf(set),
    )
    expect((await folderNamed(set, 'Årsrapport')).sub_names).toEqual(['Årsrapport 2020'])
    await admin.post(address, fields)
    expect((await admin.post(`${address}/move`, { to: 'down' })).statusCode).toBe(303)
    expect((await names(set))[1]).toBe('Årsrapport')
    await admin.post(`${address}/move`, { to: 'up' })
  })
})

it('saving a folder without a change writes and logs nothing', async () => {
  const { id } = await makeProject(test.db)
  const { id: folder, ...fields } = await folderNamed(id, 'Årsrapport')
  const before = await test.db.selectFrom('folders').selectAll().where('id', '=', folder).execute()
  await admin.post(`/projects/${id}/folders/${folder}`, fields, script)
  expect(await test.db.selectFrom('folders').selectAll().where('id', '=', folder).execute()).toEqual(before)
  expect(await test.db.selectFrom('log').select('act').where('folder_id', '=', folder).execute()).toEqual([])
})

it('a change to an outdated folder is answered with the current folders', async () => {
  const { id } = await makeProject(test.db)
  const { id: gone } = await folderNamed(id, 'Budget')
  const { id: folder } = await folderNamed(id, 'Diverse')
  await admin.post(`/projects/${id}/folders/${gone}/remove`, {}, script)
  const late = await admin.post(`/projects/${id}/folders/${folder}/move`, { after: gone }, script)
  expect([late.statusCode, late.json().folders.length]).toEqual([409, 12])
  const again = await admin.post(`/projects/${id}/folders/${gone}/move`, { to: 'up' }, script)
  expect([again.statusCode, again.json().folders.length]).toEqual([404, 12])
})

it('a project stores the number of files in its folders and the time of their last change', async () => {
  const { id } = await makeProject(test.db)
  const { id: folder } = await folderNamed(id, 'Budget')
  const kept = () =>
    test.db
      .selectFrom('projects')
      .select(['files_count', 'changed_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const changed_at = new Date('2090-01-01')
  await test.db.updateTable('folders').set({ files_count: 3, changed_at }).where('id', '=', folder).execute()
  expect(await kept()).toEqual({ files_count: 3, changed_at })
  await test.db.updateTable('folders').set({ files_count: 1 }).where('project_id', '=', id).execute()
  expect((await kept()).files_count).toBe(13)
  await test.db.deleteFrom('folders').where('id', '=', folder).execute()
  expect((await kept()).files_count).toBe(12)
})

it('a folder with files cannot be removed', async () => {
  const { id } = await makeProject(test.db)
  const folder = await folderNamed(id, 'Budget')
  await test.db.updateTable('folders').set({ files_count: 1 }).where('id', '=', folder.id).execute()
  const answer = await admin.post(`/projects/${id}/folders/${folder.id}/remove`, {}, script)
  expect([answer.statusCode, answer.json().message]).toEqual([
    409,
    'Mappen Budget er ikke tom. Flyt eller slet filerne først.',
  ])
  expect(await names(id)).toEqual(FIRST_FOLDERS)
})

it('two projects can have folders with the same name, and the template does not change', async () => {
  const [one, other] = [await makeProject(test.db), await makeProject(test.db)]
  for (const { id } of [one, other])
    expect((await admin.post(`/projects/${id}/folders`, { name: 'Fælles' }, script)).statusCode).toBe(200)
  expect(await names('template')).toEqual(FIRST_FOLDERS)
})

it('a project has at most 200 folders', async () => {
  const { id } = await makeProject(test.db)
  await test.db
    .insertInto('folders')
    .values(
      Array.from({ length: 187 }, (_, index) => ({
        project_id: id,
        name: `M${index}`,
        sub_names: [],
        visible_to_investors: true,
        place: 100 + index,
      })),
    )
    .execute()
  const answer = await admin.post(`/projects/${id}/folders`, { name: 'En til' }, script)
  expect([answer.statusCode, answer.json().errors]).toEqual([
    422,
    { name: ['Der kan højst være 200 mapper.'] },
  ])
})

describe('a sub name that the upload form remembers', () => {
  const post = async (project: number, folder: number, fields: Record<string, unknown>, who = admin) => {
    const reply = await who.post(`/projects/${project}/folders/${folder}/sub-names`, fields, script)
    return [reply.statusCode, reply.json<{ message?: string }>().message]
  }
  const subNames = async (set: FolderSet) => (await folderNamed(set, 'Lejekontrakter')).sub_names
  const logged = async (project: number) => {
    const rows = await test.db
      .selectFrom('log')
      .select(['act', 'project_id'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    return rows.filter(({ project_id: id }) => id === null || id === project).map(({ act }) => act)
  }

  it('a remembered sub name leads to its folder in the project, and in the template if wanted; each change is logged', async () => {
    const { id: project } = await makeProject(test.db)
    const { id } = await folderNamed(project, 'Lejekontrakter')
    expect(await post(project, id, { name: '  Leje\u00a0aftale ' })).toEqual([200, undefined])
    expect([await subNames(project), await subNames('template')]).toEqual([['Leje aftale'], []])
    expect((await logged(project))[0]).toBe('folder-changed')
    expect(await post(project, id, { name: 'Leje aftale', template: true })).toEqual([200, undefined])
    expect(await post(project, id, { name: 'Leje aftale', template: '1' })).toEqual([200, undefined])
    expect([await subNames(project), await subNames('template')]).toEqual([['Leje aftale'], ['Leje aftale']])
    expect(await subNames((await makeProject(test.db)).id)).toEqual(['Leje aftale'])
  })

  it('refuses a sub name that another folder has, that no template folder has, or that fits in no name', async () => {
    const { id: project } = await makeProject(test.db)
    const { id } = await folderNamed(project, 'Lejekontrakter')
    const taken = 'Mappen Budget bruger allerede navnet Budget.'
    expect(await post(project, id, { name: 'Budget' })).toEqual([422, taken])
    expect((await post(project, id, { name: 'Aftale (1)' }))[0]).toBe(422)
    expect((await post(project, id, { name: '' }))[0]).toBe(422)
    expect((await post(project, id, { name: ['a', 'b'] }))[0]).toBe(422)
    await admin.post(`${addressOf(project)}/${id}`, { name: 'Lejemål' }, script)
    expect(await post(project, id, { name: 'Aftale', template: true })).toEqual([
      422,
      'Skabelonen har ingen mappe, der hedder Lejemål.',
    ])
    expect((await folderNamed(project, 'Lejemål')).sub_names).toEqual([]) // all or nothing
    const many = { name: 'Lejemål', sub_names: Array.from({ length: 50 }, (_, n) => `Aftale ${n}`) }
    await admin.post(`${addressOf(project)}/${id}`, many, script)
    expect((await post(project, id, { name: 'Aftale' }))[0]).toBe(422)
  })

  it('only an administrator remembers a sub name, and only in a folder of the project', async () => {
    const { id: project } = await makeProject(test.db)
    const { id } = await folderNamed(project, 'Lejekontrakter')
    const theirs = await folderNamed((await makeProject(test.db)).id, 'Lejekontrakter')
    const template = await folderNamed('template', 'Lejekontrakter')
    for (const folder of [theirs.id, template.id, 99_999_999])
      expect((await post(project, folder, { name: 'Aftale' }))[0]).toBe(404)
    expect((await post(99_999_999, id, { name: 'Aftale' }))[0]).toBe(404)
    const { email } = await makeUser(test.db, { role: 'employee' })
    const employee = new Visitor(test.app)
    await employee.signIn(email, PASSWORD)
    expect((await post(project, id, { name: 'Aftale' }, employee))[0]).toBe(403)
    expect(await subNames(project)).toEqual((await folderNamed('template', 'Lejekontrakter')).sub_names)
  })

  it('two administrators who remember a sub name at once store it once', async () => {
    const { id: project } = await makeProject(test.db)
    const { id } = await folderNamed(project, 'Lejekontrakter')
    const before = await subNames(project)
    const replies = await Promise.all(
      [1, 2, 3].map(() => post(project, id, { name: 'Kontrakt', template: true })),
    )
    expect(replies.map(([status]) => status)).toEqual([200, 200, 200])
    expect(await subNames(project)).toEqual([...before, 'Kontrakt'])
  })
})
