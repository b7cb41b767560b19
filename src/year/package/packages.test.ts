import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { connectTo, readSome } from '../../../test/connection.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUserFolder } from '../../../test/make.ts'
import { propsIn } from '../../../test/page-data.ts'
import type { Visitor } from '../../../test/visitor.ts'
import { readZip, windowsFault } from '../../../test/formats/zip-reader.ts'
import type { Project } from '../../projects/project/project.ts'
import { fileUrls, urls } from '../../urls.ts'
import type { OverviewPageProps } from '../overview/overview-page.tsx'

let test: TestApp
let investor: Entered & { name: string }
let auditor: Entered
let project: Project
let folders: Record<string, number>

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '1000000' } })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(async () => {
  const person = await enter(test, 'investor')
  investor = { ...person, name: await nameOf(person.id) }
  auditor = await enter(test, 'auditor')
  project = await makeProject(test.db, { name: 'K/S Nordhavn', members: [investor.id, auditor.id] })
  folders = await foldersByName(test.db, project.id)
})

const nameOf = async (id: number) =>
  (await test.db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name

type Times = { period?: string; isHeldBack?: boolean }

/** Stores a file of a period. */
async function put(folder: number, name: string, { period = '2025', ...more }: Times = {}) {
  const file = await makeFile(test, folder, { name, bytes: name, ...more })
  await sql`update files set period = ${period} where id = ${file.id}`.execute(test.db)
  return file
}

async function take(who: Entered, url: string, headers: Record<string, string> = {}) {
  const answer = await who.visitor.get(url, { headers })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, body: answer.body }
}
const namesIn = (bytes: Buffer) => readZip(bytes).map(({ name }) => name)
const contentsOf = (bytes: Buffer) => readZip(bytes)[0]!.bytes.toString()

describe('an investor’s year', () => {
  it('an investor’s year has everything that they see of it, by project and folder, and a table of contents first', async () => {
    const later = await makeProject(test.db, { name: 'K/S Ærø: 2', members: [investor.id] })
    const { Skatteoplysninger } = await foldersByName(test.db, later.id)
    await put(await makeUserFolder(test.db, investor.id), 'Årsopgørelse.pdf')
    await put(Skatteoplysninger!, 'Skat 2025.pdf', { period: '2025' })
    await put(folders.Årsrapport!, 'Årsrapport 2024-25.pdf', { period: '2025' })
    await put(folders.Kvartalsrapport!, 'Q3.pdf', { period: '2025-Q3' })
    await put(folders.Årsrapport!, 'Årsrapport 2024.pdf', { period: '2024' })
    await put(folders.Diverse!, 'skjult.pdf')
    await put(folders.Budget!, 'kladde.pdf', { isHeldBack: true })
    const { status, headers, bytes } = await take(investor, urls.yearPackage(2025))
    expect([status, headers['content-type'], headers['accept-ranges']]).toEqual([
      200,
      'application/zip',
      'bytes',
    ])
    expect(decodeURIComponent(String(headers['content-disposition']))).toContain(
      `Årspakke 2025 - ${investor.name}.zip`,
    )
    const names = namesIn(bytes)
    expect(names).toEqual([
      'Indhold.html',
      `${project.number} K-S Nordhavn/Årsrapport/Årsrapport 2024-25.pdf`,
      `${project.number} K-S Nordhavn/Kvartalsrapport/Q3.pdf`,
      `${later.number} K-S Ærø_ 2/Skatteoplysninger/Skat 2025.pdf`,
      'Mine filer/Årsopgørelse.pdf',
    ])
    expect(names.map(windowsFault).filter((fault) => fault !== null)).toEqual([])
    const contents = contentsOf(bytes)
    const links = [...contents.matchAll(/href="\.\/([^"]+)"/g)].map(([, path]) => decodeURIComponent(path!))
    expect(links).toEqual(names.slice(1))
    for (const text of [investor.name, '4 filer', '3. kvartal 2025', `${project.number} K/S Nordhavn</h2>`])
      expect(contents).toContain(text)
  })

  it('a year’s package names a period by the accounting year of its project', async () => {
    await sql`update projects set year_ends = 6 where id = ${project.id}`.execute(test.db)
    await put(folders.Årsrapport!, 'a.pdf', { period: '2025' })
    const { bytes } = await take(investor, urls.yearPackage(2025))
    expect(contentsOf(bytes)).toContain('<td>2024/25</td>')
  })

  it('a project called like the table of contents does not replace it, and two files of one name are two', async () => {
    const same = await makeProject(test.db, { number: 'Indhold.html', name: '.', members: [investor.id] })
    await put((await foldersByName(test.db, same.id)).Budget!, 'a.pdf')
    await put(folders.Budget!, 'b.pdf')
    await put(folders.Budget!, 'B.pdf')
    const names = namesIn((await take(investor, urls.yearPackage(2025))).bytes)
    expect(names).toContain('Indhold (2).html/Budget/a.pdf')
    expect(names.filter((name) => /b( \(2\))?\.pdf$/i.test(name))).toHaveLength(2)
  })

  it.each(['1999', '25', '20255', 'x', '2025-Q3'])(
    'a page says that the year %s has no files',
    async (year) => {
      await put(folders.Budget!, 'a.pdf')
      const { status, headers } = await take(investor, `/packages/${year}`)
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    },
  )
})

describe('a project’s year', () => {
  it('a project’s year has what each reader sees of it, without the project’s directory', async () => {
    await put(folders.Budget!, 'Budget.pdf')
    await put(folders.Diverse!, 'Notat.pdf')
    await put(folders.Diverse!, 'Gammel.pdf', { period: '2024' })
    const url = urls.projectPackage(project.id, 2025)
    const office = await enter(test, 'employee')
    const both = ['Indhold.html', 'Budget/Budget.pdf', 'Diverse/Notat.pdf']
    expect(namesIn((await take(auditor, url)).bytes)).toEqual(both)
    expect(namesIn((await take(office, url)).bytes)).toEqual(both)
    const { bytes, headers } = await take(investor, url)
    expect(namesIn(bytes)).toEqual(['Indhold.html', 'Budget/Budget.pdf'])
    expect(contentsOf(bytes)).not.toContain('Notat')
    expect(decodeURIComponent(String(headers['content-disposition']))).toContain(
      `Årspakke 2025 - ${project.number} K-S Nordhavn.zip`,
    )
    expect((await take(await enter(test, 'investor'), url)).status).toBe(404)
  })

  it('a project’s page offers its years, with their sums', async () => {
    await put(folders.Budget!, 'Budget.pdf')
    await put(folders.Diverse!, 'Notat.pdf')
    await put(folders.Budget!, 'Før.pdf', { period: '2023' })
    const offered = async (who: Entered) =>
      propsIn<{ years: unknown[] }>((await who.visitor.get(urls.files(project.id))).body).years
    const before = { year: 2023, sum: { files: 1, bytes: 8 } }
    expect(await offered(investor)).toEqual([{ year: 2025, sum: { files: 1, bytes: 10 } }, before])
    expect(await offered(auditor)).toEqual([{ year: 2025, sum: { files: 2, bytes: 19 } }, before])
  })
})

describe('the years that are offered', () => {
  it('an auditor is offered all years', async () => {
    const now = new Date().getFullYear()
    for (const year of [now + 1, now, 1999])
      await put(folders.Budget!, `${year}.pdf`, { period: String(year) })
    expect((await auditor.visitor.get(urls.yearPackages)).headers.location).toBe(`${urls.year}#packages`)
    const { body } = await auditor.visitor.get(urls.year)
    const sum = { files: 1, bytes: 8 }
    expect(propsIn<OverviewPageProps>(body).packages).toEqual(
      [now + 1, now, 1999].map((year) => ({ year, sum })),
    )
    expect(body).toContain(`href="${urls.yearPackage(1999)}"`)
  })

  it('years are not offered to the office', async () => {
    const office = await enter(test, 'administrator')
    expect((await take(office, urls.yearPackages)).status).toBe(403)
    expect((await take(office, urls.yearPackage(2025))).status).toBe(403)
  })
})

describe('an adviser', () => {
  it('an adviser downloads the year of one lender at a time, which is logged on their behalf', async () => {
    const adviser = await enter(test, 'adviser')
    const other = await enter(test, 'investor')
    // Another lender of the same project with a wider scope does not widen the first one's package.
    await sql`insert into project_members (project_id, user_id) values (${project.id}, ${other.id})`.execute(
      test.db,
    )
    await sql`
      insert into lendings (lender_id, adviser_id, is_everything, folder_names, with_own_files, gets_mails)
      values (${investor.id}, ${adviser.id}, false, '{Årsrapport}', true, false),
        (${other.id}, ${adviser.id}, true, '{}', false, false)`.execute(test.db)
    const file = await put(folders.Årsrapport!, 'Årsrapport.pdf')
    await put(folders.Budget!, 'Budget.pdf')
    await put(await makeUserFolder(test.db, investor.id), 'Privat.pdf')
    await put(await makeUserFolder(test.db, other.id), 'Andens.pdf')
    const { bytes, headers } = await take(adviser, urls.lenderPackage(investor.id, 2025))
    expect(namesIn(bytes)).toEqual([
      'Indhold.html',
      `${project.number} K-S Nordhavn/Årsrapport/Årsrapport.pdf`,
      `Egne filer - ${investor.name}/Privat.pdf`,
    ])
    expect(decodeURIComponent(String(headers['content-disposition']))).toContain(
      `Årspakke 2025 - ${investor.name}.zip`,
    )
    const { rows } = await sql<{ for_user_id: number }>`
      select for_user_id from log where user_id = ${adviser.id} and file_id = ${file.id}`.execute(test.db)
    expect(rows).toEqual([{ for_user_id: investor.id }])
    expect((await take(adviser, urls.lenderPackage(auditor.id, 2025))).status).toBe(404)
    expect(namesIn((await take(adviser, urls.yearPackage(2025))).bytes)).toHaveLength(5)
  })
})

const connect = (visitor: Visitor, url: string, headers?: Record<string, string>) =>
  connectTo(test.app, visitor, url, headers)

describe('a package that is sent', () => {
  const store = (folder: number, name: string, bytes: number) =>
    makeFile(test, folder, { name: `${name} 2025.bin`, bytes: randomBytes(bytes) })

  it('a download continues where it broke off, also in its table of contents and though a file has come', async () => {
    await store(folders.Budget!, 'Stor', 20_000_000)
    await store(await makeUserFolder(test.db, investor.id), 'Lille', 1000)
    const url = urls.yearPackage(2025)
    const { bytes: whole } = await take(investor, url)
    let got = Buffer.alloc(0)
    let etag = ''
    for (const most of [200, 3000, 9_000_000]) {
      const range = { range: `bytes=${got.length}-`, 'if-range': etag }
      const response = await connect(investor.visitor, url, got.length > 0 ? range : {})
      expect(response.statusCode).toBe(got.length > 0 ? 206 : 200)
      etag = String(response.headers.etag)
      got = Buffer.concat([got, (await readSome(response, most)).subarray(0, most)])
    }
    await store(folders.Budget!, 'Ny', 10)
    const rest = await connect(investor.visitor, url, { range: `bytes=${got.length}-`, 'if-range': etag })
    expect(rest.statusCode).toBe(206)
    got = Buffer.concat([got, await readSome(rest)])
    expect(got.equals(whole)).toBe(true)
    expect(namesIn((await take(investor, url)).bytes)).toHaveLength(4)
  })

  it('a download starts over when its table of contents has changed', async () => {
    await store(folders.Budget!, 'Stor', 20_000_000)
    const url = urls.yearPackage(2025)
    const begun = await connect(investor.visitor, url)
    const [etag, got] = [String(begun.headers.etag), await readSome(begun, 1000)]
    await sql`update users set name = 'Bo Nyholm' where id = ${investor.id}`.execute(test.db)
    const next = await connect(investor.visitor, url, { range: `bytes=${got.length}-`, 'if-range': etag })
    expect(next.statusCode).toBe(200)
    next.destroy()
  })

  it('a download breaks off when its person leaves one of the projects, and never looks complete', async () => {
    for (let file = 0; file < 4; file++) await store(folders.Budget!, `Stor ${file}`, 6_000_000)
    await store(await makeUserFolder(test.db, investor.id), 'Egen', 1000)
    const response = await connect(investor.visitor, urls.yearPackage(2025))
    await once(response, 'readable')
    await sql`delete from project_members where user_id = ${investor.id}`.execute(test.db)
    await expect(readSome(response)).rejects.toThrow('aborted')
    expect(test.logged()).toContain('may no longer have every file of the archive')
  }, 120_000)

  it('a download is logged and marked as read file by file, whoever owns them', async () => {
    const [one, two] = [
      await put(folders.Budget!, 'a.pdf'),
      await put(await makeUserFolder(test.db, investor.id), 'b.pdf'),
    ]
    await take(investor, urls.yearPackage(2025))
    const { rows } = await sql<object>`
      select file_id, project_id, subject_user_id from log where user_id = ${investor.id} and act = 'file-downloaded'
      order by file_id`.execute(test.db)
    expect(rows).toEqual([
      { file_id: one.id, project_id: project.id, subject_user_id: null },
      { file_id: two.id, project_id: null, subject_user_id: investor.id },
    ])
    const { rows: read } = await sql<{ file_id: number }>`
      select file_id from file_reads where user_id = ${investor.id} order by 1`.execute(test.db)
    expect(read.map(({ file_id: id }) => id)).toEqual([one.id, two.id])
  })

  it('packages count with other archives: four per person at a time', async () => {
    for (let count = 0; count < 2; count++) await store(folders.Budget!, `Stor ${count}`, 16_000_000)
    const addresses = [urls.yearPackage(2025), fileUrls.zip({ project: project.id })]
    const running = await Promise.all(
      [0, 1, 0, 1].map((index) => connect(investor.visitor, addresses[index]!)),
    )
    expect((await take(investor, addresses[0]!)).status).toBe(429)
    running.forEach((response) => response.destroy())
    await expect.poll(async () => (await take(investor, addresses[0]!)).status).toBe(200)
  }, 60_000)
})
