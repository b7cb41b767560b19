import type { Config } from '../../config.ts'
import { alone } from '../database/alone.db.ts'
import type { Database } from '../database/database.ts'

type Settings = Pick<Config, 's3Bucket' | 'storage'>

/** Throws if there are bytes in a bucket that the configuration does not name. */
export async function checkStores(db: Database, { s3Bucket }: Settings): Promise<void> {
  const stores = await db.selectFrom('stores').select('bucket').orderBy('bucket').execute()
  const strange = stores.find(({ bucket }) => bucket !== s3Bucket)
  if (!strange) return
  const { bucket } = strange
  throw new Error(
    `Ringbind has files in the bucket '${bucket}': set S3_BUCKET=${bucket} ` +
      `(to leave it, first run 'STORAGE=disk npm run move-storage' with it).`,
  )
}

/**
 * Records the bucket before the first byte goes there. If two processes start at once with different buckets, one
 * gets an error.
 */
export async function rememberStore(db: Database, settings: Settings): Promise<void> {
  await alone(db, 'stores', () => remember(db, settings))
}

async function remember(db: Database, settings: Settings): Promise<void> {
  await checkStores(db, settings)
  const { s3Bucket: bucket, storage } = settings
  if (bucket === null) return
  if (storage === 'disk')
    await db.updateTable('stores').set({ takes_new: false }).where('bucket', '=', bucket).execute()
  else
    await db
      .insertInto('stores')
      .values({ bucket, takes_new: true })
      .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ takes_new: true }))
      .execute()
}

/** Forgets an emptied bucket. Returns false if it still takes new bytes, and keeps it. */
export async function forgetStore(db: Database, bucket: string): Promise<boolean> {
  await db.deleteFrom('stores').where('bucket', '=', bucket).where('takes_new', '=', false).execute()
  return !(await db.selectFrom('stores').select('bucket').where('bucket', '=', bucket).executeTakeFirst())
}
