import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Bucket, Limits } from './s3-bucket.ts'
import { openDiskRoom } from './disk-room.ts'
import { pieceName } from './s3-pieces.ts'
import { openDiskStorage } from './storage-disk.ts'
import { MissingBytes, type Place, type SignedPosts, type FileStorage } from './storage.ts'

/** The installation's storage, its two places, and its bucket. */
export type OpenStorage = FileStorage & {
  places: { disk: Place; s3: Place | null }
  bucket: Bucket | null
}

/** Opens the installation's storage, for the server and for every command. */
export async function openStorage(
  config: Config,
  dataDir: string,
  limits: Partial<Limits> = {},
): Promise<OpenStorage> {
  const room = openDiskRoom(dataDir, config.diskReserveBytes)
  const disk = await openDiskStorage(join(dataDir, 'files'), room)
  if (config.s3Bucket === null) return { ...disk, room, places: { disk, s3: null }, bucket: null }
  // Loaded only with a bucket, because it takes time.
  const [{ Bucket: BucketOf }, { openS3Storage }] = await Promise.all([
    import('./s3-bucket.ts'),
    import('./storage-s3.ts'),
  ])
  const bucket = new BucketOf({
    bucket: config.s3Bucket,
    endpoint: config.s3Endpoint,
    region: config.s3Region!,
    limits,
  })
  await bucket.refuseUnlessUsable()
  const s3 = openS3Storage(bucket)
  const posts = config.directUpload ? await signedPosts(bucket) : null
  const joined = joinPlaces(disk, s3, config.storage)
  return { ...joined, room, ...(posts && { posts }), places: { disk, s3 }, bucket }
}

/** Signs uploads from browsers. They become the first piece of a key and are sealed like any other piece. */
async function signedPosts(bucket: Bucket): Promise<SignedPosts> {
  const { openSignedPosts } = await import('./storage-s3-sign.ts')
  return openSignedPosts(bucket.client, bucket.name, (key) => pieceName(key, 0))
}

/** Joins two places into one storage: new bytes go to `main`, existing bytes are found in either. */
export function joinPlaces(disk: Place, s3: Place, main: 'disk' | 's3'): FileStorage {
  const mainPlace = main === 'disk' ? disk : s3

  /** Finds the place of a key. It asks the disk first, which answers at once. */
  async function placeOf(key: string): Promise<Place | null> {
    if (await disk.find(key)) return disk
    return (await s3.find(key)) ? s3 : null
  }

  /**
   * Reads whole bytes, also while they are being moved. A file on its way to the disk stays whole in the bucket until
   * it is on the disk. So if the bucket does not have it, it is on the disk, whatever its mode says.
   */
  async function fromWhole<Result>(key: string, take: (place: Place) => Promise<Result>): Promise<Result> {
    const isOnDisk = (await disk.find(key))?.isWhole
    for (const place of isOnDisk ? [disk, s3] : [s3, disk]) {
      try {
        return await take(place)
      } catch (error) {
        if (!(error instanceof MissingBytes)) throw error
      }
    }
    throw new MissingBytes(key)
  }

  return {
    put: (key, bytes) => mainPlace.put(key, bytes),
    append: async (key, offset, bytes) => ((await placeOf(key)) ?? mainPlace).append(key, offset, bytes),
    cut: async (key, length) => ((await placeOf(key)) ?? mainPlace).cut(key, length),
    length: async (key) => (await placeOf(key))?.length(key) ?? 0,
    async seal(key) {
      const onDisk = await disk.find(key)
      // Half a file, on its way to the disk or left by a killed move, must not pass for the whole.
      if (onDisk && !onDisk.isWhole && (await s3.find(key))?.isWhole) return s3.seal(key)
      return ((await placeOf(key)) ?? mainPlace).seal(key)
    },
    open: (key, range, sha256) => fromWhole(key, (place) => place.open(key, range, sha256)),
    read: (key, range) => fromWhole(key, (place) => place.read(key, range)),
    findPath: async (key, size) => (await disk.findPath?.(key, size)) ?? null,
    async remove(key) {
      await s3.remove(key)
      await disk.remove(key)
    },
    async *list() {
      for await (const each of disk.list()) yield each
      for await (const each of s3.list()) if (!(await disk.find(each.key))) yield each
    },
    sign: async (key, headers) =>
      (await disk.find(key))?.isWhole ? null : ((await s3.sign?.(key, headers)) ?? null),
    isEmpty: async () => (await disk.isEmpty()) && (await s3.isEmpty()),
    async check() {
      await Promise.all([disk.check(), s3.check()])
    },
  }
}
