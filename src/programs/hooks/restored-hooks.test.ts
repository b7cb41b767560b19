import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshApp } from '../../../test/app.ts'
import { freshDatabase } from '../../../test/database.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { makeProject, NOBODY } from '../../../test/make.ts'
import { backUp } from '../../copies/backup.db.ts'
import { restore } from '../../copies/restore.db.ts'
import { openDiskStorage } from '../../server/storage/storage-disk.ts'
import { listDueHooks } from './deliveries.db.ts'
import { addHook, listHooks, switchHook } from './hooks.db.ts'

it('a restored copy has the hooks switched off, so that it sends nothing until one is switched on', async () => {
  const test = await freshApp({ hasJobs: false })
  const url = 'https://regnskab.example/ringbind'
  const { id, secret } = await addHook(test.db, NOBODY, { name: 'Regnskab', url, events: ['project.added'] })
  await makeProject(test.db)
  expect(await listDueHooks(test.db)).toEqual([id])
  const file = join(await freshDirectory(), 'copy.tar')
  await backUp(test, file)

  const { db } = await freshDatabase({ migrated: false })
  await restore({ db, storage: await openDiskStorage(await freshDirectory()) }, file)
  expect(await listHooks(db)).toMatchObject([{ id, name: 'Regnskab', url, is_on: false, waiting: 0 }])
  await makeProject(db)
  expect(await listDueHooks(db)).toEqual([])
  const { rows } = await sql`select secret from hooks`.execute(db)
  expect(rows).toEqual([{ secret }])

  await switchHook(db, NOBODY, id, true)
  await makeProject(db)
  expect(await listDueHooks(db)).toEqual([id])
})
