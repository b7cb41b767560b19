import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { foldersByName, makeFile, makeProject, makeUser, makeUserFolder } from '../../../test/make.ts'
import { exportOffice } from '../out/export.db.ts'
import { runImport } from './run-import.db.ts'

const TOLD = { say: () => undefined, progress: () => undefined, signal: new AbortController().signal }
const PLAIN = { act: 'import' as const, dryRun: null, from: null, report: null, isDraft: false, by: null }

async function makeOffice() {
  const app = await freshApp({ hasJobs: false })
  const project = await makeProject(app.db, { number: '1024', name: 'K/S Nordhavn' })
  const { id: person } = await makeUser(app.db, { name: 'Åse Holm', numbers: ['2001'] })
  return { app, person, folders: await foldersByName(app.db, project.id) }
}

const listNames = async ({ db }: TestApp) =>
  (
    await sql<{ place: string; name: string }>`
      select coalesce(folders.name, '') as place, files.name from files join folders on folders.id = folder_id
      where deleted_at is null and not is_held_back
      order by user_id nulls first, folders.name, files.position collate "C"`.execute(db)
  ).rows.map(({ place, name }) => `${place}/${name}`)

it('importing an export elsewhere keeps names and order', async () => {
  const from = await makeOffice()
  const { app, folders } = from
  // Each new file comes first in its folder.
  for (const name of [
    'Referat af møde: hvad nu?.txt',
    'Budget (1024) 2023.txt',
    '=SUM.txt',
    'Budget (1024) 2025.txt',
    'Budget (1024) 2024.txt',
    'budget (1024) 2024.txt',
    'Uden nummer.txt',
  ])
    await makeFile(app, folders.Budget!, { name, bytes: `Budget ${name}` })
  for (const name of ['Årsrapport (1024) 2022.txt', 'Noter til revisor.txt'])
    await makeFile(app, folders['Årsrapport']!, { name, bytes: `Rapport ${name}` })
  const own = await makeUserFolder(app.db, from.person)
  for (const name of ['Skat (2001) 2024.txt', 'Brev.txt', 'Skat (2001) 2025.txt'])
    await makeFile(app, own, { name, bytes: `Eget ${name}` })
  const trashed = await makeFile(app, folders.Budget!, { name: 'Slettet (1024).txt', bytes: 'Slettet' })
  await sql`update files set deleted_at = now() where id = ${trashed.id}`.execute(app.db)
  const root = join(await freshDirectory(), 'ud')
  await exportOffice({ ...app, dataDir: app.config.dataDir, timeZone: 'Europe/Copenhagen' }, root)
  expect(await readdir(root)).toContain('Papirkurv')

  const to = await makeOffice()
  const { counts } = await runImport(
    { ...to.app, storage: to.app.storage as never, dataDir: to.app.config.dataDir },
    { ...PLAIN, directory: root },
    TOLD,
  )
  expect(counts.imported).toBe(12)
  await sql`delete from held_papers`.execute(to.app.db)
  expect(await listNames(to.app)).toEqual(await listNames(app))
})
