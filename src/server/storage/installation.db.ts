import { randomUUID } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { alone } from '../database/alone.db.ts'
import type { Database } from '../database/database.ts'
import type { Place as Disk, FileStorage } from './storage.ts'
import type { Bucket } from './s3-bucket.ts'
import { syncDirectory } from './sync-directory.ts'

/** The name of the mark in DATA_DIR and in the bucket. */
export const MARK = 'installation'

const directoryMark = z.object({
  /** The same id as in the database and in the bucket. */
  installation: z.string(),
  /** This data directory's own id: several instances have one directory each. */
  directory: z.string(),
})
type DirectoryMark = z.infer<typeof directoryMark>
type Known = { id: string; directory: string | null; directory_at: string | null }

type MarkedBucket = Pick<Bucket, 'get' | 'putNew'>

type Place = {
  config: Pick<Config, 'storage' | 's3Bucket' | 'databaseUrl'>
  dataDir: string
  storage: FileStorage & { places: { disk: Disk }; bucket: MarkedBucket | null }
}

/**
 * Checks at the start that database, data directory and bucket belong together, and marks those without a mark.
 * Throws a one-line error if they do not.
 */
export async function settlePlace(db: Database, place: Place): Promise<void> {
  await alone(db, 'installation', () => settle(db, place))
}

async function settle(db: Database, place: Place): Promise<void> {
  const { config, dataDir, storage } = place
  const [known, mark] = [await findKnown(db), await readMark(dataDir)]
  const marked = await readBucketMark(storage.bucket)
  const hasFiles = config.storage === 'disk' || !(await storage.places.disk.isEmpty())
  refuseOthers(known, mark, place, hasFiles)
  if (!known && mark) await refuseEmptyDatabase(db, place)
  if (await isOtherStore(db, storage, config)) throw lostFiles(place)
  await refuseUnreadable(db, place)
  const id = known?.id ?? mark?.installation ?? randomUUID()
  if (marked !== null && marked !== id) throw otherBucket(place)

  // The database comes last: the marks that it names must exist after a crash.
  const directory = mark?.directory ?? (await markDirectory(place, known, id))
  if (marked === null) await markBucket(place, id)
  const at = hasFiles ? { directory, directory_at: `${dataDir} on ${hostname()}` } : NOWHERE
  await db
    .insertInto('installation')
    .values({ id, ...at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(at))
    .execute()
}

/** Refuses a database without files beside a data directory with some. */
async function refuseEmptyDatabase(db: Database, place: Place): Promise<void> {
  if (!(await place.storage.places.disk.isEmpty()) && (await listNewest(db)).length === 0)
    throw otherDirectory(place)
}

/** Marks the data directory, and returns its id. That of the built-in database is inside, and so is the same one. */
async function markDirectory(
  { config, dataDir }: Place,
  known: Known | undefined,
  installation: string,
): Promise<string> {
  const directory = (config.databaseUrl ? null : known?.directory) ?? randomUUID()
  await writeMark(dataDir, { installation, directory })
  return directory
}

async function markBucket(place: Place, id: string): Promise<void> {
  const { bucket } = place.storage
  if (!bucket || (await bucket.putNew(MARK, Buffer.from(id)))) return
  if ((await readBucketMark(bucket)) !== id) throw otherBucket(place)
}

const NOWHERE = { directory: null, directory_at: null }

/**
 * Throws if the data directory or the bucket belongs to another installation. Changes nothing, and accepts a new
 * database.
 */
export async function checkPlace(
  db: Database,
  { config, dataDir, bucket }: Pick<Place, 'config' | 'dataDir'> & { bucket: MarkedBucket | null },
): Promise<void> {
  const [known, mark] = [await findKnown(db), await readMark(dataDir)]
  if (!known) return
  refuseOthers(known, mark, { config, dataDir }, config.storage === 'disk')
  const marked = await readBucketMark(bucket)
  if (marked !== null && marked !== known.id) throw otherBucket({ config })
}

/** Refuses to restore into a bucket that has another installation's mark: it is not empty. */
export async function refuseMarkedBucket({ config, dataDir, storage }: Place): Promise<void> {
  const marked = await readBucketMark(storage.bucket)
  if (marked !== null && marked !== (await readMark(dataDir))?.installation) throw otherBucket({ config })
}

/** Records after a move that no files are left on this disk, so that other instances may use the bucket. */
export async function leaveDirectory(db: Database, dataDir: string): Promise<void> {
  const mark = await readMark(dataDir)
  if (mark)
    await db.updateTable('installation').set(NOWHERE).where('directory', '=', mark.directory).execute()
}

function refuseOthers(
  known: Known | undefined,
  mark: DirectoryMark | null,
  place: Pick<Place, 'config' | 'dataDir'>,
  hasFiles: boolean,
): void {
  if (!known) return
  if (mark && mark.installation !== known.id) throw otherDirectory(place)
  if (known.directory === null || known.directory === mark?.directory) return
  if (!mark && !place.config.databaseUrl) return // the built-in database is inside the directory
  const way = hasFiles ? 'set DATA_DIR to it' : 'run `npm run move-storage` with it first'
  throw new Error(
    `The files of this database are on the disk in ${known.directory_at}, not in DATA_DIR (${place.dataDir}): ${way}. Only with all files in a bucket can several Ringbinds share a database.`,
  )
}

function otherDirectory({ config, dataDir }: Pick<Place, 'config' | 'dataDir'>): Error {
  const names = config.databaseUrl ? 'DATA_DIR or DATABASE_URL' : 'DATA_DIR'
  return new Error(
    `DATA_DIR (${dataDir}) belongs to another Ringbind than the database: set ${names} so that they belong together.`,
  )
}

const otherBucket = ({ config }: Pick<Place, 'config'>) =>
  new Error(
    `The bucket '${config.s3Bucket}' belongs to another Ringbind, and two never share one: set S3_BUCKET to an empty one (if that Ringbind is gone for good, remove the object '${MARK}' from the bucket).`,
  )

const lostFiles = ({ config, dataDir }: Place) =>
  new Error(
    config.s3Bucket
      ? `None of the newest files are in the store: DATA_DIR, S3_BUCKET or S3_ENDPOINT is not the one that the database belongs to.`
      : `None of the newest files are in the store: DATA_DIR (${dataDir}) is not the one that the database belongs to, or its files are lost (then restore a copy).`,
  )

async function findKnown(db: Database): Promise<Known | undefined> {
  return db.selectFrom('installation').select(['id', 'directory', 'directory_at']).executeTakeFirst()
}

/** Refuses to start if another user, mostly root, wrote our files: otherwise users would meet the error first. */
async function refuseUnreadable(db: Database, { dataDir, storage }: Place): Promise<void> {
  for (const key of await listNewest(db))
    try {
      await storage.places.disk.read(key, { first: 0, last: 0 })
    } catch (error) {
      if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) continue
      const me = process.geteuid?.()
      throw new Error(
        `Ringbind may not read its own files (${(error as Error).message}): they belong to another user. Give them back with 'chown -R ${me} ${dataDir}'.`,
        { cause: error },
      )
    }
}

/** If this many are all missing, it is no accident. */
const MISSED = 5

/** Returns the keys of the newest stored blobs. */
async function listNewest(db: Database): Promise<string[]> {
  const newest = await db
    .selectFrom('blobs')
    .select('key')
    .where('state', '=', 'stored')
    .orderBy('id', 'desc')
    .limit(MISSED)
    .execute()
  return newest.map(({ key }) => key)
}

/**
 * Whether none of the newest blobs are here, so that the database belongs to another store. A few missing blobs may be
 * damage, unless the store is empty; so may many, if the store is beside the built-in database.
 */
async function isOtherStore(
  db: Database,
  storage: FileStorage,
  { databaseUrl, s3Bucket }: Place['config'],
): Promise<boolean> {
  const newest = await listNewest(db)
  if (newest.length === 0) return false
  for (const key of newest) if ((await storage.length(key)) > 0) return false
  const isElsewhere = databaseUrl !== null || s3Bucket !== null
  return (isElsewhere && newest.length === MISSED) || storage.isEmpty()
}

async function readMark(dataDir: string): Promise<DirectoryMark | null> {
  const file = join(dataDir, MARK)
  try {
    return directoryMark.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Error(`Ringbind cannot read ${file}: ${reasonOf(error)}`, { cause: error })
  }
}

const reasonOf = (error: unknown) =>
  error instanceof z.ZodError || error instanceof SyntaxError ? 'it is damaged.' : (error as Error).message

async function writeMark(dataDir: string, mark: DirectoryMark): Promise<void> {
  const file = join(dataDir, MARK)
  {
    await using handle = await open(`${file}.new`, 'w', 0o600)
    await handle.writeFile(`${JSON.stringify(mark, null, 2)}\n`)
    await handle.sync()
  }
  await rename(`${file}.new`, file)
  await syncDirectory(dataDir)
}

async function readBucketMark(bucket: MarkedBucket | null): Promise<string | null> {
  const answer = await bucket?.get(MARK)
  if (!answer) return null
  const chunks = await Array.fromAsync(answer.body as AsyncIterable<Buffer>)
  return Buffer.concat(chunks).toString().trim()
}
