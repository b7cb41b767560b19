import { sql } from 'kysely'
import type { Reader } from '../access/reader.ts'
import type { Trx } from '../server/database/database.ts'
import { conflict } from '../server/http/errors.ts'
import { putPile } from '../uploads/unsaved/put-pile.db.ts'
import { lendBytes, takeBack } from '../uploads/transport/temporary.db.ts'
import { urls } from '../urls.ts'

type Waiting = { id: number; name: string; size: number; blob_id: number }

const listWaiting = (trx: Trx, intake: number) =>
  sql<Waiting>`
  select id, name, size, blob_id from intake_files
  where submission_id = ${intake} and blob_id is not null order by id`.execute(trx)

/**
 * Makes a pile of the files that wait, for the person who has taken the intake. The bytes stay the intake's until they are
 * saved. Returns the address of the form with that pile.
 */
export async function openPile(trx: Trx, reader: Reader, intake: number): Promise<string> {
  const { rows: before } = await listWaiting(trx, intake)
  await takeBack(
    trx,
    reader.id,
    before.map(({ blob_id: blob }) => blob),
  )
  // The person who had it before may just have saved some of them.
  const { rows } = await listWaiting(trx, intake)
  if (rows.length === 0) throw conflict('Der er ikke flere filer at sortere. De er alle gemt.')
  const lent = await lendBytes(
    trx,
    reader.id,
    rows.map(({ blob_id: blobId, name }) => ({ blobId, name })),
  )
  const files = rows.flatMap(({ blob_id: blob, name, size }) => {
    const hashName = lent.get(blob)
    return hashName === undefined ? [] : [{ name, size, hashName }]
  })
  const key = await putPile(trx, reader, urls.upload, files)
  return `${urls.upload}?pile=${key}`
}
