import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import { foldersByName, makeManyFiles, makeProject, makeUser } from '../../../test/make.ts'
import type { Reader } from '../../access/reader.ts'
import type { Database } from '../../server/database/database.ts'
import { listProjectYears } from './year-sums.db.ts'

let db: Database
let project: number
let folders: Record<string, number>
let office: Reader
let investor: Reader
beforeAll(async () => {
  ;({ db } = await freshDatabase())
  office = { id: (await makeUser(db)).id, role: 'administrator' }
  investor = { id: (await makeUser(db, { role: 'investor' })).id, role: 'investor' }
  project = (await makeProject(db, { members: [investor.id] })).id
  folders = await foldersByName(db, project)
  await sql`update folders set visible_to_investors = id = ${folders.Budget!} where project_id = ${project}`.execute(
    db,
  )
})

const put = async (folder: number, count: number, year: string) => {
  const ids = await makeManyFiles(db, folder, count)
  await sql`update files set period = ${year} where id = any (${ids})`.execute(db)
}

it('sums the years of a project while it has few files, and only names them when it has many', async () => {
  const years = (reader: Reader, most = 4) => listProjectYears(db, reader, project, most)
  const sum = (year: number, files: number) => ({ year, sum: { files, bytes: files * 12_345 } })
  await put(folders.Budget!, 3, '2024')
  await put(folders.Skatteoplysninger!, 2, '2023')
  expect(await years(office)).toEqual([sum(2024, 3), sum(2023, 2)])
  expect(await years(investor)).toEqual([sum(2024, 3)])

  await put(folders.Budget!, 3001, '2020')
  // Names those that come after more files than are added up, too.
  await put(folders.Budget!, 1, '2025')
  const alone = (...numbers: number[]) => numbers.map((year) => ({ year, sum: null }))
  expect(await years(office)).toEqual(alone(2025, 2024, 2023, 2020))
  expect(await years(office, 2)).toEqual(alone(2025, 2024))
  expect(await years(investor)).toEqual(alone(2025, 2024, 2020))
})
