import { inOrder } from '../base/in-order.ts'
import type { Config } from '../config.ts'
import type { Database } from '../server/database/database.ts'
import { leaveDirectory, MARK } from '../server/storage/installation.db.ts'
import { hashBytes, HashedBytes } from '../server/storage/measure.ts'
import type { OpenStorage } from '../server/storage/open-storage.ts'
import { StoreAway, type Place } from '../server/storage/storage.ts'
import { forgetStore } from '../server/storage/stores.db.ts'
import type { Progress } from './backup.db.ts'
import { openSession } from './session.db.ts'
import { nameBlobs } from './used-by.db.ts'

const MOVED_AT_ONCE = 4
const A_TIME = 200

type Moved = {
  blobs: number
  bytes: number
  /** Uploads in progress at the old place. They can be moved when they are complete. */
  underWay: number
  /** Keys that the database does not know. */
  unknown: number
  /** A line for each blob that stays where it is because its bytes are damaged. */
  faults: string[]
  /** Whether the bucket is empty, so that S3_BUCKET is no longer needed. */
  isLeft: boolean
}

type Installation = {
  db: Database
  storage: OpenStorage
  dataDir: string
  config: Pick<Config, 'storage' | 's3Bucket'>
}
type BlobRow = { id: number; key: string; state: string; size: number | null; sha256: string | null }

/**
 * Moves every stored blob to the place for new ones, while the office works. Removes the old bytes only after
 * reading them back at the new place and comparing them with their row. So it may be stopped at any time, and
 * continues on the next run.
 */
export async function moveStorage(
  installation: Installation,
  { progress = () => undefined, signal, isTrial = false }: Progress & { isTrial?: boolean } = {},
): Promise<Moved> {
  const { db, storage, config } = installation
  const { disk, s3 } = storage.places
  if (!s3) throw new Error('There is only the disk: set S3_BUCKET to move files to a bucket or back.')
  await using session = await openSession(db, signal)
  const { rows } = await session.query<{ got: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('move-storage', 0)) as got`,
  )
  if (!rows[0]!.got) throw new Error('Files are being moved already.')

  const [from, to] = config.storage === 's3' ? [disk, s3] : [s3, disk]
  const result: Moved = { blobs: 0, bytes: 0, underWay: 0, unknown: 0, faults: [], isLeft: false }
  const move = (blob: BlobRow) => (isTrial ? whole(from, to, blob) : moveBlob(db, from, to, blob, signal))
  for await (const some of inBatches(from, A_TIME)) {
    const blobs = await findBlobs(db, some)
    result.unknown += some.length - blobs.length
    result.underWay += blobs.filter(({ state }) => state === 'pending').length
    const stored = blobs.filter(({ state }) => state === 'stored')
    for await (const { blob, fault } of inOrder(stored, MOVED_AT_ONCE, move)) {
      signal?.throwIfAborted()
      if (fault) result.faults.push(`${(await nameBlobs(db, [blob.id])).get(blob.id)}: ${fault}`)
      else if (fault === null) {
        result.blobs++
        result.bytes += blob.size!
      }
      progress(() => `Moving files: ${result.blobs}, ${Math.round(result.bytes / 1e6)} MB`)
    }
  }
  if (!isTrial && (await from.isEmpty())) result.isLeft = await leaveOldPlace(installation)
  return result
}

/** Records that the old place is empty. Returns whether it is a bucket that may be left. */
async function leaveOldPlace({ db, storage, dataDir, config }: Installation): Promise<boolean> {
  if (config.storage === 's3') {
    await leaveDirectory(db, dataDir)
    return false
  }
  const isLeft = await forgetStore(db, config.s3Bucket!)
  if (isLeft) await storage.bucket?.remove(MARK)
  return isLeft
}

async function* inBatches(place: Place, most: number): AsyncGenerator<string[]> {
  let keys: string[] = []
  for await (const { key } of place.list()) {
    keys.push(key)
    if (keys.length < most) continue
    yield keys
    keys = []
  }
  if (keys.length > 0) yield keys
}

function findBlobs(db: Database, keys: string[]): Promise<BlobRow[]> {
  return db
    .selectFrom('blobs')
    .select(['id', 'key', 'state', 'size', 'sha256'])
    .where('key', 'in', keys)
    .orderBy('id')
    .execute()
}

/** `fault`: null if moved, undefined if there was nothing left to move, otherwise why it was left. */
type Outcome = { blob: BlobRow; fault: string | null | undefined }

async function whole(from: Place, to: Place, blob: BlobRow): Promise<Outcome> {
  return { blob, fault: (await isAt(from, to, blob.key)) ? null : undefined }
}

/**
 * Whether the bytes are still at `from`. A stored blob that is whole nowhere else counts, even if its file mode was
 * lost: its SHA-256 is checked later.
 */
async function isAt(from: Place, to: Place, key: string): Promise<boolean> {
  const found = await from.find(key)
  return found !== null && (found.isWhole || !(await to.find(key))?.isWhole)
}

async function moveBlob(
  db: Database,
  from: Place,
  to: Place,
  blob: BlobRow,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { key } = blob
  signal?.throwIfAborted()
  if (!(await isAt(from, to, key))) return { blob, fault: undefined }
  let fault: string | null = null
  try {
    if (!(await hasArrived(to, blob, signal))) fault = await copy(from, to, blob, signal)
  } catch (error) {
    // A blob removed while it is read is no fault.
    if (error instanceof StoreAway || signal?.aborted || (await isStored(db, blob))) throw error
  }
  // A removal from now on covers both places. An earlier one has not seen our copy, so it is removed here.
  if (!(await isStored(db, blob))) {
    await to.remove(key)
    return { blob, fault: undefined }
  }
  if (fault === null) {
    try {
      await to.seal(key) // makes it durable, and removes leftovers of interrupted moves
    } catch (error) {
      if (error instanceof StoreAway || (await isStored(db, blob))) throw error
      return { blob, fault: undefined } // just removed at both places
    }
    await from.remove(key)
  }
  return { blob, fault }
}

/** Whether an interrupted move has left all of the bytes, and not just a part. */
async function hasArrived(
  to: Place,
  { key, sha256 }: BlobRow,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return (await to.find(key))?.isWhole === true && (await hashAt(to, key, signal)) === sha256
}

/** Returns what is wrong with the blob, if anything, and then leaves nothing at the new place. */
async function copy(
  from: Place,
  to: Place,
  { key, size, sha256 }: BlobRow,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  let unreadable: string | undefined
  async function* read(): AsyncGenerator<Buffer> {
    const source = await from.open(key).catch(tell)
    source.once('error', (error) => void (unreadable ??= error.message))
    for await (const chunk of source as AsyncIterable<Buffer>) {
      signal?.throwIfAborted()
      yield chunk
    }
  }
  function tell(error: Error): never {
    unreadable = error.message
    throw error
  }
  await to.remove(key)
  try {
    const bytes = new HashedBytes(read())
    await to.put(key, bytes)
    if (bytes.size !== size || bytes.digest() !== sha256) {
      await to.remove(key)
      const fault =
        bytes.size === size ? 'its bytes are not what they were' : `it has ${bytes.size} bytes, not ${size}`
      return `${fault}; it was left where it is`
    }
    if ((await hashAt(to, key, signal)) !== sha256) throw new Error(`${key} did not arrive as it was sent.`)
    return null
  } catch (error) {
    await to.remove(key).catch(() => undefined) // otherwise the next move removes it
    if (unreadable === undefined || error instanceof StoreAway || signal?.aborted) throw error
    return `it cannot be read (${unreadable}); it was left where it is`
  }
}

const hashAt = async (place: Place, key: string, signal: AbortSignal | undefined) =>
  hashBytes(await place.open(key), signal)

async function isStored(db: Database, { id }: BlobRow): Promise<boolean> {
  const row = await db.selectFrom('blobs').select('state').where('id', '=', id).executeTakeFirst()
  return row?.state === 'stored'
}
