import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshApp } from '../../../test/app.ts'
import { makeFile, makeUser, makeUserFolder } from '../../../test/make.ts'
import { addPageTexts } from '../../reading/page-texts.db.ts'
import { findRoom } from './temporary.db.ts'

it('the text and thumbnail of a file count as room of its sender', async () => {
  const test = await freshApp({ hasJobs: false })
  const { id } = await makeUser(test.db)
  const bytes = '%PDF-1.7 med meget tekst'
  const file = await makeFile(test, await makeUserFolder(test.db, id), { bytes, uploadedBy: id })
  const most = { waiting: Infinity, own: 10_000_000 }
  const left = async () => (await findRoom(test.db, id, most)).left
  const before = await left()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const { rows } = await sql<{ id: number }>`
    update texts set state = 'read', pages = 1 where sha256 = ${sha256} returning id`.execute(test.db)
  await addPageTexts(test.db, rows[0]!.id, [{ page: 1, text: randomBytes(50_000).toString('hex') }])
  const withText = await left()
  expect(before - withText).toBeGreaterThan(50_000)
  await sql`
    insert into thumbnails (blob_id, is_pdf, state, webp)
    select blob_id, true, 'made', ${randomBytes(3000)} from files where id = ${file.id}
    on conflict (blob_id) do update set state = 'made', webp = excluded.webp`.execute(test.db)
  expect(withText - (await left())).toBe(3000)
})
