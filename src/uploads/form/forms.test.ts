import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { Client } from 'pg'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUser, makeUserFolder } from '../../../test/make.ts'
import type { Role } from '../../rights.ts'
import type { Project } from '../../projects/project/project.ts'
import type { User } from '../../accounts/users/user.ts'
import { urls } from '../../urls.ts'
import type { UploadMap } from '../names/placing.ts'
import { resolve } from '../names/resolve.db.ts'
import { readResult } from '../result/result.db.ts'
import { receiveTemporaryFile } from '../transport/temporary.db.ts'

let test: TestApp
let office: Entered
let project: Project
let folders: Record<string, number>
let person: User & { number: string }
let count = 3000

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', MAX_FILES_PER_SUBMIT: '50' },
  })
  office = await enter(test, 'employee')
})
beforeEach(async () => {
  project = await makeProject(test.db)
  folders = await foldersByName(test.db, project.id)
  const number = String(++count)
  person = { ...(await makeUser(test.db, { name: `Investor ${number}`, numbers: [number] })), number }
})

const sendAs = async ({ id }: Entered, name: string, bytes = `%PDF-1.7 ${name}`) =>
  (await receiveTemporaryFile(test, id, name, Readable.from([Buffer.from(bytes)]), 1e6)).hash_name

type Entry = { name: string; data?: string; bytes?: string } & Record<string, unknown>

/** Sends the bytes and then the form, as a page does. */
async function post(address: string, entries: Entry[], more: Record<string, unknown> = {}, who = office) {
  const files: Record<string, unknown> = {}
  for (const [index, { bytes, ...entry }] of entries.entries())
    files[`f${index}`] = { mime: 'text/plain', data: await sendAs(who, entry.name, bytes), ...entry }
  const reply = await who.visitor.post(address, { files, ...more }, { script: true })
  return {
    status: reply.statusCode,
    body: reply.json<{ redirect?: string; errors?: object; shared?: number[] }>(),
  }
}

async function filesIn(folder: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from files where folder_id = ${folder} order by position`.execute(test.db)
  return rows.map(({ name }) => name)
}
const ownFiles = async (user: number) => filesIn(await makeUserFolder(test.db, user))

describe('the form sorted by folder', () => {
  it('S3.4 stores each file in the folder that its name leads to, in one project and in all', async () => {
    const other = await makeProject(test.db)
    const theirs = await foldersByName(test.db, other.id)
    const { status, body } = await post('/upload', [
      { name: `Budget (${project.number}) 2024.pdf`, folder_id: folders.Budget, folder: 'Budget' },
      {
        name: `Årsrapport 2020 (${other.number}) endelig.pdf`.normalize('NFD'),
        folder_id: theirs.Årsrapport,
        folder: 'Årsrapport',
      },
      { name: `Budget (${project.number}) 2025.pdf`, folder_id: String(folders.Budget), folder: 'Budget' },
    ])
    expect(status).toBe(200)
    expect(await filesIn(folders.Budget!)).toEqual([
      `Budget (${project.number}) 2025.pdf`,
      `Budget (${project.number}) 2024.pdf`,
    ])
    expect(await filesIn(theirs.Årsrapport!)).toEqual([`Årsrapport 2020 (${other.number}) endelig.pdf`])
    const { rows } = await sql<{ period: string }>`
      select period from files where folder_id = ${theirs.Årsrapport}`.execute(test.db)
    expect(rows).toEqual([{ period: '2020' }])
    expect(body.redirect).toMatch(/^\/upload\/result\/[\w-]{36}$/)
  })

  it('puts new files before old ones, by highest year and then Danish name; a deleted file keeps its place', async () => {
    const form = `/projects/${project.id}/uploads/folder/${folders.Budget}`
    const sendNames = (...names: string[]) =>
      post(
        form,
        names.map((name) => ({ name })),
      )
    const { id } = await makeFile(test, folders.Budget!, { name: 'Gammel 2030.pdf' })
    await makeFile(test, folders.Budget!, { name: 'Ældst.pdf' })
    await office.visitor.post(
      `/api/projects/${project.id}/file/${id}`,
      {},
      { script: true, method: 'DELETE' },
    )
    await sendNames('Bilag 10.pdf', 'Note 2024.pdf', 'Bilag 2.pdf', 'Aaben 2025.pdf', 'Zoo 2025.pdf')
    await sendNames('Sidst.pdf')
    await office.visitor.post(`/api/projects/${project.id}/file/${id}/restore`, {}, { script: true })
    expect(await filesIn(folders.Budget!)).toEqual([
      'Sidst.pdf',
      'Zoo 2025.pdf',
      'Aaben 2025.pdf',
      'Note 2024.pdf',
      'Bilag 2.pdf',
      'Bilag 10.pdf',
      'Gammel 2030.pdf',
      'Ældst.pdf',
    ])
  })

  it('S5.10 the server trusts the names, not the page: refuses a wrong field, and stores nothing', async () => {
    const other = await makeProject(test.db)
    const theirs = await foldersByName(test.db, other.id)
    const { status, body } = await post(`/projects/${project.id}/upload`, [
      { name: `Budget (${project.number}) god.pdf`, folder_id: folders.Budget, folder: 'Budget' },
      { name: `Budget (${project.number}) anden mappe.pdf`, folder_id: folders.Diverse },
      { name: `Budget (${project.number}) fremmed mappe.pdf`, folder_id: theirs.Budget },
      { name: `Budget (${project.number}) andet navn.pdf`, folder_id: folders.Budget, folder: 'Diverse' },
      { name: `Budget (${other.number}) andet projekt.pdf`, folder_id: theirs.Budget },
      { name: `Ferie (${project.number}).pdf`, folder_id: folders.Budget },
      { name: 'Ferie.pdf', folder_id: folders.Budget },
      { name: `Budget (0${project.number}).pdf`, folder_id: folders.Budget },
    ])
    expect(status).toBe(422)
    expect(body.errors).toEqual({
      'files.f1.folder_id': [`Budget (${project.number}) anden mappe.pdf hører til i mappen ”Budget”.`],
      'files.f2.folder_id': [`Budget (${project.number}) fremmed mappe.pdf hører til i mappen ”Budget”.`],
      'files.f3.folder': [`Budget (${project.number}) andet navn.pdf hører til i mappen ”Budget”.`],
      'files.f4.name': [`Projekt ${other.number} er ikke ${project.number}.`],
      'files.f5.name': [`Mappen ”Ferie” findes ikke i projekt ${project.number}.`],
      'files.f6.name': [expect.stringContaining('skal være som')],
      'files.f7.name': [`Projekt 0${project.number} er ikke ${project.number}.`],
    })
    expect(await filesIn(folders.Budget!)).toEqual([])
  })

  it('S5.2 finds a folder ignoring case and spaces, unless two folders differ by nothing else', async () => {
    const names = [`ÅRSRAPPORT (${project.number}).pdf`, `budget(${project.number}) 2025.pdf`]
    expect(
      (
        await post(
          '/upload',
          names.map((name) => ({ name })),
        )
      ).status,
    ).toBe(200)
    expect(await filesIn(folders.Årsrapport!)).toEqual([names[0]])
    expect(await filesIn(folders.Budget!)).toEqual([names[1]])
    const { rows } = await sql<{ id: number }>`
      insert into folders (project_id, name, visible_to_investors, place)
      select project_id, 'BUDGET', true, place + 1000 from folders where id = ${folders.Budget} returning id`.execute(
      test.db,
    )
    await sql`
      insert into folder_names (project_id, folder_id, key) values (${project.id}, ${rows[0]!.id}, 'BUDGET')`.execute(
      test.db,
    )
    const both = [{ name: `BUDGET (${project.number}).pdf` }, { name: `budget (${project.number}).pdf` }]
    expect((await post('/upload', both)).body.errors).toEqual({
      'files.f1.name': [`Mappen ”budget” findes ikke i projekt ${project.number}.`],
    })
  })

  it('S5.3 accepts files of any project if none is set, and says so if no project has the number', async () => {
    const name = (number: string) => ({ name: `Budget (${number}).pdf` })
    expect((await post('/upload', [name(project.number)])).status).toBe(200)
    expect((await post('/upload', [name('9999999')])).body.errors).toEqual({
      'files.f0.name': ['Nummer 9999999 findes ikke.'],
    })
  })

  it('stores projects’ and people’s files of one form: all of them, or none', async () => {
    const files = [
      { name: `Budget (${project.number}).pdf`, folder_id: folders.Budget, folder: 'Budget' },
      { name: `Kapitalkonto (${person.number}) 2025.pdf`.normalize('NFD'), user_id: person.id },
      { name: `(${person.number}).pdf` },
    ]
    const faulty = await post('/upload', [...files, { name: 'Kapitalkonto (findes-ikke).pdf' }])
    expect([faulty.status, Object.keys(faulty.body.errors!)]).toEqual([422, ['files.f3.name']])
    expect([await filesIn(folders.Budget!), await ownFiles(person.id)]).toEqual([[], []])
    expect((await post('/upload', files)).status).toBe(200)
    expect(await filesIn(folders.Budget!)).toEqual([`Budget (${project.number}).pdf`])
    expect(await ownFiles(person.id)).toEqual([
      `Kapitalkonto (${person.number}) 2025.pdf`,
      `(${person.number}).pdf`,
    ])
    expect((await post(`/projects/${project.id}/upload`, [files[1]!])).body.errors).toEqual({
      'files.f0.name': [`Projekt ${person.number} er ikke ${project.number}.`],
    })
  })

  it('follows the entry if a number is both a project’s and a person’s, and asks if it does not say', async () => {
    const twin = await makeUser(test.db, { name: 'Dobbelt Nummer', numbers: [project.number] })
    const name = `Budget (${project.number}).pdf`
    const budget = { folder_id: folders.Budget, folder: 'Budget' }
    const errorsOf = async (entry: object) => (await post('/upload', [{ name, ...entry }])).body.errors
    expect(await errorsOf({})).toEqual({
      'files.f0.name': [`${project.number} er både et projekt og en person. Vælg, hvad der er ment.`],
    })
    expect(await errorsOf({ user_id: person.id })).toEqual({
      'files.f0.user_id': [`${name} hører til hos Dobbelt Nummer.`],
    })
    expect(await errorsOf({ ...budget, user_id: twin.id })).toEqual({
      'files.f0.folder_id': [`${name} hører til hos Dobbelt Nummer.`],
    })
    expect(await errorsOf({ folder_id: folders.Diverse })).toEqual({
      'files.f0.folder_id': [`${name} hører til i mappen ”Budget”.`],
    })
    expect([await filesIn(folders.Budget!), await ownFiles(twin.id)]).toEqual([[], []])
    const both = [
      { name, ...budget },
      { name: `Brev (${project.number}).pdf`, user_id: twin.id },
    ]
    expect((await post('/upload', both)).status).toBe(200)
    expect([await filesIn(folders.Budget!), await ownFiles(twin.id)]).toEqual([
      [name],
      [`Brev (${project.number}).pdf`],
    ])
  })

  it('refuses a person for a file that only a project’s number names, and vice versa', async () => {
    const { body } = await post('/upload', [
      { name: `Budget (${project.number}).pdf`, user_id: person.id },
      { name: `Brev (${person.number}).pdf`, folder_id: folders.Budget },
      { name: `(${project.number}) uden mappe.pdf` },
    ])
    expect(body.errors).toEqual({
      'files.f0.user_id': [`Budget (${project.number}).pdf hører til i mappen ”Budget”.`],
      'files.f1.folder_id': [`Brev (${person.number}).pdf hører til hos ${person.name}.`],
      'files.f2.name': [expect.stringContaining('skal være som')],
    })
    expect(await ownFiles(person.id)).toEqual([])
  })

  it('refuses files if their folder was shared after the page was made, and stores them when the page knows', async () => {
    await sql`update folders set visible_to_investors = true where id = ${folders.Diverse}`.execute(test.db)
    const entry = { name: `Diverse (${project.number}).pdf`, data: await sendAs(office, 'x.pdf') }
    const refused = await post('/upload', [entry], { shared: '' })
    expect([refused.status, refused.body.shared]).toEqual([409, [folders.Diverse]])
    expect(await filesIn(folders.Diverse!)).toEqual([])
    expect((await post('/upload', [entry], { shared: `1,${folders.Diverse}` })).status).toBe(200)
  })

  it('stores many files in many folders with as many SQL statements as one file', async () => {
    const statements = async (entries: Entry[]) => {
      const form = Object.fromEntries(
        await Promise.all(
          entries.map(
            async ({ name }, index) => [`f${index}`, { name, data: await sendAs(office, name) }] as const,
          ),
        ),
      )
      const asked = vi.spyOn(Client.prototype, 'query')
      const reply = await office.visitor.post('/upload', { files: form }, { script: true })
      expect(reply.statusCode).toBe(200)
      // Leaves out the queries of background jobs.
      const own = asked.mock.calls.filter(([text]) => !/\bjobs\./.test(text))
      asked.mockRestore()
      return own.length
    }
    const names = Object.keys(folders)
    const one = await statements([{ name: `${names[0]} (${project.number}) x.pdf` }])
    const many = await statements(
      names.flatMap((folder) => [1, 2, 3].map((n) => ({ name: `${folder} (${project.number}) ${n}.pdf` }))),
    )
    expect(one).toBeGreaterThan(5)
    expect(many).toBeLessThanOrEqual(one + 1) // the session may be updated meanwhile
  })

  it('stores the files of two people who upload to the same folders of two projects at once', async () => {
    const colleague = await enter(test, 'administrator')
    const other = await makeProject(test.db)
    const names = [project.number, other.number].flatMap((number) =>
      Object.keys(folders).map((folder) => ({ name: `${folder} (${number}).pdf` })),
    )
    const replies = await Promise.all([
      ...[1, 2, 3].map(() => post('/upload', names)),
      ...[1, 2, 3].map(() => post('/upload', names.toReversed(), {}, colleague)),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(await filesIn(folders.Budget!)).toHaveLength(6)
  })
})

describe('the form sorted by person', () => {
  it('S3.4 S5.4 stores each file with the person whose number it has, under its full name', async () => {
    const second = await makeUser(test.db, { numbers: [`${person.number}-B`, `${person.number}-C`] })
    const { status } = await post('/users/upload', [
      { name: `Årsopgørelse (${person.number}) 2025.pdf`, user_id: person.id },
      { name: `Hvad som helst (${person.number}-C).pdf`, user_id: second.id },
      { name: `Årsopgørelse (${person.number}-B) 2025.pdf` },
      { name: `(${person.number}-B) uden tekst.pdf`, user_id: second.id },
    ])
    expect(status).toBe(200)
    expect(await ownFiles(person.id)).toEqual([`Årsopgørelse (${person.number}) 2025.pdf`])
    expect(await ownFiles(second.id)).toHaveLength(3)
  })

  it('S5.10 refuses a number that no person has, and one of another person than the page says', async () => {
    const { status, body } = await post('/users/upload', [
      { name: `Brev (${person.number}).pdf`, user_id: person.id },
      { name: 'Brev (findes-ikke).pdf', user_id: person.id },
      { name: `Brev (${person.number}) 2.pdf`, user_id: office.id },
      { name: 'Brev.pdf', user_id: person.id },
      { name: `().pdf`, user_id: person.id },
    ])
    expect(status).toBe(422)
    expect(Object.entries(body.errors!).map(([field, [text]]) => [field, text])).toEqual([
      ['files.f1.name', 'Ingen person har nummer findes-ikke.'],
      ['files.f2.user_id', `Brev (${person.number}) 2.pdf hører til hos ${person.name}.`],
      ['files.f3.name', expect.any(String)],
      ['files.f4.name', expect.any(String)],
    ])
    expect(await ownFiles(person.id)).toEqual([])
  })
})

describe('the form for one person', () => {
  const form = (id = person.id) => `/users/${id}/upload`

  it('accepts files of any name, puts them first among the person’s files, and redirects to that person', async () => {
    await makeFile(test, await makeUserFolder(test.db, person.id), { name: 'Før.pdf' })
    expect((await office.visitor.get(form())).body).toContain(`Upload til ${person.name}`)
    const { status, body } = await post(form(), [
      { name: 'Uden nummer.pdf', user_id: person.id },
      { name: 'Brev (9999) 2027.pdf' },
    ])
    expect([status, body.redirect]).toEqual([200, `/users/${person.id}`])
    expect(await ownFiles(person.id)).toEqual(['Brev (9999) 2027.pdf', 'Uden nummer.pdf', 'Før.pdf'])
  })

  it('the form for one person exists only for investors, and refuses a file meant for another person', async () => {
    for (const id of [office.id, 999_999]) {
      expect((await office.visitor.get(form(id))).statusCode).toBe(404)
      expect((await post(form(id), [{ name: 'Brev.pdf' }])).status).toBe(404)
    }
    const { status, body } = await post(form(), [{ name: 'Brev.pdf', user_id: office.id }])
    expect([status, Object.keys(body.errors!)]).toEqual([422, ['files.f0.user_id']])
    expect(await ownFiles(person.id)).toEqual([])
  })

  it('only an investor’s page links to the form for one person', async () => {
    expect((await office.visitor.get(`/users/${person.id}`)).body).toContain(`href="${form()}"`)
    expect((await office.visitor.get(`/users/${office.id}`)).body).not.toContain(`href="${form(office.id)}"`)
  })
})

it('every form accepts as many files as may be sent at a time', async () => {
  const investor = await enter(test, 'investor')
  const forms: [address: string, name: (index: number) => string, who?: Entered][] = [
    [`/projects/${project.id}/uploads/folder/${folders.Budget}`, (index) => `${index}.pdf`],
    [urls.uploadToProject(project.id), (index) => `Budget (${project.number}) ${index}.pdf`],
    ['/upload', (index) => `Budget (${project.number}) ${index}.pdf`],
    ['/users/upload', (index) => `Brev ${index} (${person.number}).pdf`],
    [`/users/${person.id}/upload`, (index) => `${index}.pdf`],
    ['/my-files', (index) => `${index}.pdf`, investor],
  ]
  for (const [address, nameOf, who] of forms) {
    const files = Array.from({ length: 50 }, (_, index) => ({
      name: nameOf(index),
      bytes: `%PDF-1.7 ${address} ${index}`,
      ...(address.startsWith('/users') && { user_id: person.id }),
    }))
    const more = { submission: randomUUID(), shared: Object.values(folders).join(), keep: '' }
    expect([address, (await post(address, files, more, who)).status]).toEqual([address, 200])
  }
})

describe('the simple form', () => {
  let investor: Entered
  beforeEach(async () => {
    investor = await enter(test, 'investor')
  })
  const send = (entries: Entry[], more: Record<string, unknown> = {}) =>
    post('/my-files', entries, more, investor)

  it('S5.5 stores an investor’s PDFs among their own files, without / \\ : in their names', async () => {
    const { status, body } = await send([
      { name: 'C:\\Papirer/Pas: kopi.pdf' },
      { name: 'Selvangivelse 2025.PDF' },
    ])
    expect([status, body]).toEqual([200, { redirect: '/my-files' }])
    expect(await ownFiles(investor.id)).toEqual(['Selvangivelse 2025.PDF', 'CPapirerPas kopi.pdf'])
    const page = await investor.visitor.get('/my-files')
    expect(page.body).toContain('Selvangivelse 2025.PDF')
  })

  it('S5.10 refuses a file that is named .pdf but is no PDF, and a PDF with another name', async () => {
    const { status, body } = await send([
      { name: 'Billede.pdf', bytes: '\x89PNG\r\n\x1a\n' },
      { name: 'Side.pdf', bytes: '<!doctype html><script>alert(1)</script>' },
      { name: 'Rigtig.exe' },
      { name: 'God.pdf' },
      { name: '/\\:', bytes: '%PDF-1.7' },
    ])
    expect(status).toBe(422)
    expect(Object.keys(body.errors!)).toEqual(['files.f4.name'])
    const { body: second } = await send([
      { name: 'Billede.pdf', bytes: '\x89PNG\r\n\x1a\n' },
      { name: 'Side.pdf', bytes: '<!doctype html><script>alert(1)</script>' },
      { name: 'Rigtig.exe' },
      { name: 'God.pdf' },
    ])
    expect(second.errors).toEqual({
      'files.f0.data': ['Billede.pdf er ikke en PDF.'],
      'files.f1.data': ['Side.pdf er ikke en PDF.'],
      'files.f2.name': ['Kun PDF-filer kan sendes. Gem filen som PDF.'],
    })
    expect(await ownFiles(investor.id)).toEqual([])
  })
})

describe('access to the forms by role', () => {
  const LOOKS = ['/upload', '/users/upload', '/my-files', 'project'] as const

  it.each([
    ['administrator', [200, 200, 403, 200]],
    ['employee', [200, 200, 403, 200]],
    ['auditor', [403, 403, 403, 403]],
    ['investor', [403, 403, 200, 403]],
  ] as const)('%s: %j', async (role, expected) => {
    const { visitor } = await enter(test, role)
    const answers = await Promise.all(
      LOOKS.map(async (look) => {
        const address = look === 'project' ? `/projects/${project.id}/upload` : look
        const seen = await visitor.get(address)
        const sent = await visitor.post(address, { files: {} }, { script: true })
        expect(sent.statusCode).toBe(seen.statusCode === 200 ? 422 : 403)
        return seen.statusCode
      }),
    )
    expect(answers).toEqual(expected)
  })

  it('forms answer 404 for a project that does not exist', async () => {
    expect((await office.visitor.get('/projects/999999/upload')).statusCode).toBe(404)
    expect((await office.visitor.get('/projects/x/upload')).statusCode).toBe(404)
  })
})

describe('the questions that a form asks', () => {
  const ask = async (address: string, fields: Record<string, unknown>, { visitor } = office) => {
    const reply = await visitor.post(address, fields, { script: true })
    return [reply.statusCode, reply.json()] as const
  }

  it('S5.2 answers for the given folders and keys only, with the folder that was probably meant', async () => {
    const [status, map] = await ask('/api/upload/resolve', {
      folders: ['Budget', 'Årsrapport KS'.normalize('NFD'), 'Arsrapport', 'Ferie', 'constructor'],
      keys: [project.number, '9999999', person.number],
    })
    const report = { id: folders.Årsrapport, name: 'Årsrapport', visible_to_investors: true }
    expect([status, map]).toEqual([
      200,
      {
        projects: {
          [project.number]: {
            id: project.id,
            number: project.number,
            name: project.name,
            has_auditor: false,
            folders: {
              Budget: { id: folders.Budget, name: 'Budget', visible_to_investors: true },
              'Årsrapport KS': report,
            },
            near: { Arsrapport: 'Årsrapport' },
          },
        },
        users: { [person.number]: { id: person.id, name: person.name, readers: [] } },
      },
    ])
  })

  it('proposes the names that were probably meant, among what the reader sees and the form accepts', async () => {
    const number = `A${person.number}`
    const other = await makeUser(test.db, { numbers: [number] })
    const names = [
      `Årsrapport ${project.number} 2025.pdf`.normalize('NFD'),
      `${project.number}_årsrapport.pdf`,
      `Årsrapport 2025 (${project.number}).pdf`,
      `Kapitalkonto ${number}.pdf`,
      'Budget 2026.pdf',
      'Uden nummer.pdf',
    ]
    const meant = async (fields: object) => {
      const [status, body] = await ask('/api/upload/resolve', { names, ...fields })
      return [status, (body as UploadMap).proposals]
    }
    const reports = {
      [names[0]!.normalize('NFC')]: `Årsrapport (${project.number}) 2025.pdf`,
      [names[1]!]: `Årsrapport (${project.number}).pdf`,
      [names[2]!]: `Årsrapport (${project.number}) 2025.pdf`,
    }
    const account = { [names[3]!]: `Kapitalkonto (${number}).pdf` }
    expect(await meant({})).toEqual([200, { ...reports, ...account }])
    expect(await meant({ of: 'people' })).toEqual([200, account])
    expect(await meant({ of: 'project', project: project.number })).toEqual([
      200,
      { ...reports, 'Budget 2026.pdf': `Budget (${project.number}) 2026.pdf` },
    ])
    expect(await meant({ of: 'project', project: 'findes-ikke' })).toEqual([200, {}])
    expect((await meant({ of: 'alt' }))[0]).toBe(422)
    expect((await meant({ names: Array(51).fill('x') }))[0]).toBe(422)
    await sql`update users set role = 'employee' where id = ${other.id}`.execute(test.db)
    expect(await meant({ of: 'people' })).toEqual([200, {}])
  })

  it('says who will see the files: also the auditor, where one belongs to the project', async () => {
    const auditor = await makeUser(test.db, { role: 'auditor' })
    const audited = await makeProject(test.db, { members: [auditor.id] })
    const told = async ({ id, number }: Project) => {
      const { Diverse: folder } = await foldersByName(test.db, id)
      const { visitor } = office
      const form = `/projects/${id}/uploads/folder/${folder}`
      const name = `Diverse (${number}).pdf`
      const [, map] = await ask('/api/upload/resolve', { folders: ['Diverse'], keys: [number] })
      const { body } = await post('/upload', [{ name, folder_id: folder, folder: 'Diverse' }])
      const options = (await visitor.get(`/api/projects/${id}/folder-options`)).json<{
        has_auditor: boolean
      }>()
      const pages = [form, body.redirect!].map(async (page) => (await visitor.get(page)).body)
      return {
        pages: (await Promise.all(pages)).map((page) => /Kontoret og revisor|Kun kontoret/.exec(page)?.[0]),
        resolved: (map as UploadMap).projects[number]!.has_auditor,
        options: options.has_auditor,
      }
    }
    const both = 'Kontoret og revisor'
    expect(await told(audited)).toEqual({ pages: [both, both], resolved: true, options: true })
    const one = 'Kun kontoret'
    expect(await told(project)).toEqual({ pages: [one, one], resolved: false, options: false })
  })

  it.each([[{ folders: 'x', keys: [] }], [{ folders: [1], keys: [] }], [{ keys: Array(51).fill('x') }]])(
    'refuses the question %j',
    async (fields) => {
      expect((await ask('/api/upload/resolve', fields))[0]).toBe(422)
    },
  )

  it('a question may have texts that no database can store', async () => {
    const odd = ['a\0b', '\ud800', 'Budget\0']
    const [status, map] = await ask('/api/upload/resolve', {
      folders: odd,
      keys: [...odd, `${project.number}\0`],
    })
    expect(status).toBe(200)
    expect(Object.keys((map as { projects: object }).projects)).toEqual([project.number])
    const files = odd.map((text, index) => ({ id: `f${index}`, name: text, folder_id: folders.Budget }))
    expect((await ask('/api/upload/duplicates', { files }))[0]).toBe(200)
    for (const wrong of [{ data: 'a\0' }, { data: 'xyz' }, { id: '\0' }, { id: '\ud800' }])
      expect(
        (await ask('/api/upload/duplicates', { files: [{ id: 'a', name: 'a.pdf', ...wrong }] }))[0],
      ).toBe(422)
  })

  it('a question may be as large as a form', async () => {
    const filler = 'x'.repeat(120_000)
    for (const address of ['/upload', '/users/upload', `/projects/${project.id}/upload`])
      expect((await ask(address, { files: {}, filler }))[0]).toBe(422)
    expect((await ask('/api/upload/resolve', { filler }))[0]).toBe(200)
    expect((await ask('/api/upload/duplicates', { files: [], filler }))[0]).toBe(200)
    expect((await ask('/upload', { files: {}, filler: filler.repeat(2) }))[0]).toBe(413)
  })

  it('a question about many names in many projects does not delay other requests', async () => {
    const many: Project[] = []
    for (let made = 0; made < 150; made++) many.push(await makeProject(test.db))
    // Counts the thread's own processor time: other work on a busy machine does not matter here.
    let [longest, last] = [0, process.threadCpuUsage()]
    const tick = setInterval(() => {
      const { user, system } = process.threadCpuUsage(last)
      longest = Math.max(longest, (user + system) / 1000)
      last = process.threadCpuUsage()
    })
    const { projects } = await resolve(
      test.db,
      { id: 0, role: 'employee' },
      {
        folders: [
          ...Array.from({ length: 2000 }, (_, n) => `Papirer ${n} af en slags`),
          'Arsrapport',
          'Budget',
        ],
        keys: many.map(({ number }) => number),
      },
    )
    await new Promise((done) => setTimeout(done, 10))
    clearInterval(tick)
    expect(Object.values(projects).map(({ near }) => ({ ...near }))).toEqual(
      many.map(() => ({ Arsrapport: 'Årsrapport' })),
    )
    expect(longest).toBeLessThan(300)
  })

  it('only the office may ask where names lead', async () => {
    for (const role of ['investor', 'auditor'] as const)
      expect((await ask('/api/upload/resolve', { folders: [], keys: [] }, await enter(test, role)))[0]).toBe(
        403,
      )
  })

  it('finds names and bytes that exist already', async () => {
    await makeFile(test, folders.Budget!, { name: 'Et.pdf', bytes: '%PDF-1.7 et' })
    await makeFile(test, folders.Budget!, { name: 'To.pdf', bytes: '%PDF-1.7 to' })
    const [same, other] = [await sendAs(office, 'x', '%PDF-1.7 et'), await sendAs(office, 'y', '%PDF-1.7 y')]
    const theirs = await sendAs(await enter(test, 'employee'), 'z', '%PDF-1.7 et')
    const budget = { folder_id: folders.Budget }
    const [status, body] = await ask('/api/upload/duplicates', {
      files: [
        { id: 'a', name: 'Et.pdf', ...budget },
        { id: 'b', name: 'Et.pdf', ...budget, data: same },
        { id: 'c', name: 'Tre.pdf', ...budget, data: same },
        { id: 'd', name: 'To.pdf', ...budget, data: other },
        { id: 'e', name: 'Et.pdf', folder_id: folders.Diverse, data: same },
        { id: 'f', name: 'Fire.pdf', ...budget, data: theirs },
        { id: 'g', name: 'Et.pdf', user_id: person.id },
      ],
    })
    expect(status).toBe(200)
    const found = (
      body as {
        data: Record<string, { same_name: boolean; same_bytes: string | null; sha256: string | null }>
      }
    ).data
    expect(
      Object.entries(found)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([id, { same_name: name, same_bytes: bytes, sha256 }]) => [id, name, bytes, sha256 !== null]),
    ).toEqual([
      ['a', true, null, false],
      ['b', true, 'Et.pdf', true],
      ['c', false, 'Et.pdf', true],
      ['d', true, null, true],
      ['e', false, null, true],
      ['f', false, null, false],
      ['g', false, null, false],
    ])
  })

  it('tells an investor only about their own files, whatever folder or person they ask for', async () => {
    const investor = await enter(test, 'investor')
    await makeFile(test, folders.Budget!, { name: 'Hemmelig.pdf' })
    await makeFile(test, await makeUserFolder(test.db, person.id), { name: 'Hemmelig.pdf' })
    await makeFile(test, await makeUserFolder(test.db, investor.id), { name: 'Egen.pdf' })
    const [, body] = await ask(
      '/api/upload/duplicates',
      {
        files: [
          { id: 'a', name: 'Hemmelig.pdf', folder_id: folders.Budget },
          { id: 'b', name: 'Hemmelig.pdf', user_id: person.id },
          { id: 'c', name: 'Egen.pdf' },
        ],
      },
      investor,
    )
    expect(body).toMatchObject({
      data: { a: { same_name: false }, b: { same_name: false }, c: { same_name: true } },
    })
  })
})

describe('a file whose bytes are already in its folder', () => {
  const form = () => `/projects/${project.id}/uploads/folder/${folders.Budget}`
  const pdf = (name: string, bytes: string) => ({ name, bytes: `%PDF-1.7 ${bytes}` })

  it('two people who send the same file at once store it once, and the other is told where it is', async () => {
    const colleague = await enter(test, 'administrator')
    const replies = await Promise.all([
      post(form(), [pdf('Mit.pdf', 'ens')], { keep: '' }),
      post(form(), [pdf('Dit.pdf', 'ens')], { keep: '' }, colleague),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const [stored, ...others] = await filesIn(folders.Budget!)
    expect(others).toEqual([])
    const isMine = stored === 'Mit.pdf'
    const [winner, loser] = isMine ? replies : replies.toReversed()
    expect(winner!.body.redirect).toContain('/uploads?open=')
    expect(loser!.body.redirect).toContain('/upload/result/')
    const { body } = await (isMine ? colleague : office).visitor.get(loser!.body.redirect!)
    expect(body).toContain('Filen lå der allerede.')
    expect(body).toContain(`Filen ligger der allerede: ”${stored}” i Budget.`)
  })

  it('a duplicate is skipped while the others are stored, even if the form comes twice, and its bytes are removed', async () => {
    await makeFile(test, folders.Budget!, { name: 'Der.pdf', bytes: '%PDF-1.7 ens' })
    const submission = `samme-bytes-${project.id}`
    const entries = [pdf('Ens.pdf', 'ens'), pdf('Ny.pdf', 'ny'), pdf('Ny igen.pdf', 'ny')]
    const sent = await Promise.all(entries.map(({ name, bytes }) => sendAs(office, name, bytes)))
    const ready = entries.map(({ name }, index) => ({ name, data: sent[index]! }))
    const replies = [
      await post(form(), ready, { keep: '', submission }),
      await post(form(), ready, { keep: '', submission }),
    ]
    expect(replies.map(({ body }) => body.redirect)).toEqual([1, 2].map(() => `/upload/result/${submission}`))
    expect(await filesIn(folders.Budget!)).toEqual(['Ny.pdf', 'Der.pdf'])
    const { skipped } = await readResult(test.db, { id: office.id, role: 'employee' }, submission)
    expect(skipped.map(({ name, twin }) => [name, twin])).toEqual([
      ['Ens.pdf', 'Der.pdf'],
      ['Ny igen.pdf', 'Ny.pdf'],
    ])
    const { rows } = await sql`
      select from blobs where state = 'stored' and not exists (select from files where blob_id = blobs.id)
        and not exists (select from temporary_files where blob_id = blobs.id)`.execute(test.db)
    expect(rows).toEqual([])
  })

  it('a duplicate is stored if its sender says so, if the other is in another folder or in the trash, or if the page does not ask', async () => {
    await makeFile(test, folders.Budget!, { name: 'Der.pdf', bytes: '%PDF-1.7 ens' })
    await makeFile(test, folders.Diverse!, { name: 'Anden.pdf', bytes: '%PDF-1.7 anden' })
    await post(form(), [pdf('Valgt.pdf', 'ens')], { keep: 'f0' })
    await post(form(), [pdf('Uden spørgsmål.pdf', 'ens')])
    await post(form(), [pdf('Anden mappe.pdf', 'anden')], { keep: '' })
    expect(await filesIn(folders.Budget!)).toEqual([
      'Anden mappe.pdf',
      'Uden spørgsmål.pdf',
      'Valgt.pdf',
      'Der.pdf',
    ])
    await sql`update files set deleted_at = now() where folder_id = ${folders.Budget}`.execute(test.db)
    const { body } = await post(form(), [pdf('Efter.pdf', 'ens')], { keep: '' })
    expect(body.redirect).toContain('/uploads?open=')
  })
})

describe('the result', () => {
  it('the result shows its sender where the files are, with links, and is 404 for others', async () => {
    const submission = `et-resultat-${project.id}`
    const names = [`Budget (${project.number}) #1 100%.pdf`, `Diverse (${project.number}).pdf`]
    const { body } = await post(
      '/upload',
      names.map((name) => ({ name })),
      { submission },
    )
    expect(body.redirect).toBe(`/upload/result/${submission}`)
    const page = await office.visitor.get(body.redirect!)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(
      `/projects/${project.id}/uploads?open=${folders.Budget}#folder-${folders.Budget}`,
    )
    expect(page.body).toMatch(
      new RegExp(
        `/projects/${project.id}/uploads/[0-9a-f]{32}/Budget%20\\(${project.number}\\)%20%231%20100%25.pdf`,
      ),
    )
    expect(page.body).toMatch(/<a href="\/upload"[^>]*>(?:(?!<\/a>).)*Upload flere/)
    const ofProject = await post(`/projects/${project.id}/upload`, [
      { name: `Budget (${project.number}) 2.pdf` },
    ])
    expect((await office.visitor.get(ofProject.body.redirect!)).body).toMatch(
      new RegExp(`<a href="/projects/${project.id}/upload"[^>]*>(?:(?!</a>).)*Upload flere`),
    )
    const colleague = await enter(test, 'administrator')
    expect((await colleague.visitor.get(body.redirect!)).statusCode).toBe(404)
    expect((await office.visitor.get('/upload/result/findes-ikke')).statusCode).toBe(404)
  })

  it('a form sent twice has the same result, and the files are stored once', async () => {
    const submission = `to-gange-${project.id}`
    const data = await sendAs(office, 'a.pdf')
    const send = () => post('/upload', [{ name: `Budget (${project.number}).pdf`, data }], { submission })
    const replies = [await send(), await send()]
    expect(replies.map(({ status, body }) => [status, body.redirect])).toEqual(
      [1, 2].map(() => [200, `/upload/result/${submission}`]),
    )
    expect(await filesIn(folders.Budget!)).toHaveLength(1)
  })

  it('the result shows a person who has left the office only what they may see now', async () => {
    const own = `${person.number}-E`
    const who = await enter(test, 'employee')
    await makeUser(test.db, { numbers: [own] })
    const submission = (of: string) => `resultat-${of}-${project.id}`
    const inProject = ['Budget', 'Diverse', 'Vurderinger'].map(
      (folder) => `${folder} (${project.number}).pdf`,
    )
    const atPeople = [person.number, own].map((number) => `Brev (${number}).pdf`)
    for (const [address, names] of [
      ['/upload', inProject],
      ['/users/upload', atPeople],
    ] as const) {
      const entries = names.map((name) => ({ name }))
      expect(
        (await post(address, entries, { submission: submission(address.slice(1, 5)) }, who)).status,
      ).toBe(200)
    }
    await sql`update files set deleted_at = now() where name = ${inProject[2]}`.execute(test.db)
    // Pretends that one of the letters was for them.
    const ownFolder = await makeUserFolder(test.db, who.id)
    await sql`update files set folder_id = ${ownFolder} where name = ${atPeople[1]}`.execute(test.db)
    const read = async (role: Role, of: string) => {
      const { groups, deleted } = await readResult(test.db, { id: who.id, role }, submission(of))
      return [groups.map(({ folder, user }) => user?.id ?? folder.id), deleted]
    }
    expect(await read('employee', 'uplo')).toEqual([[folders.Budget, folders.Diverse], 1])
    expect(await read('investor', 'uplo')).toEqual([[], 0])
    expect(await read('investor', 'user')).toEqual([[who.id], 0])
    await sql`insert into project_members (project_id, user_id) values (${project.id}, ${who.id})`.execute(
      test.db,
    )
    await sql`
      update folders set visible_to_investors = id = ${folders.Budget} where project_id = ${project.id}`.execute(
      test.db,
    )
    expect(await read('investor', 'uplo')).toEqual([[folders.Budget], 0])
  })

  it.each(['%00', 'a%00bcdefgh', '%ED%A0%80aaaaaaaa', 'kort', 'x'.repeat(65), "'; drop"])(
    'the result answers 404 for an invalid key: %s',
    async (key) => {
      expect([400, 404]).toContain((await office.visitor.get(`/upload/result/${key}`)).statusCode)
    },
  )
})
