import { createHash } from 'node:crypto'
import { findUserName } from '../../accounts/users/users.db.ts'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { getProject } from '../../projects/project/projects.db.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound, Refusal } from '../../server/http/errors.ts'
import { inTurns } from '../../server/process/breather.ts'
import type { Parts } from '../../server/parts.ts'
import { checkOwner } from '../file/owner.db.ts'
import { archivePaths, safeName } from './archive-names.ts'
import { planArchive, type ArchivePlan, type HeadFile, type PlannedFile } from './archive-plan.ts'
import { findCrcs, queueCrcs } from './find-crc.db.ts'
import { listZipFiles, type ZipChoice, type ZipFile } from './zip-files.db.ts'

/** An archive as one reader gets it. */
export type Archive = {
  /** The file name for the browser. */
  name: string
  plan: ArchivePlan<PackedFile>
  /** A hash of everything in it: another name, place or byte gives another tag. */
  tag: string
}

/** A file of an archive, called by its path in it. */
export type PackedFile = ZipFile & PlannedFile

/** How an archive is laid out. */
type ArchiveLayout = {
  title: string
  pathsOf: (files: ZipFile[]) => string[]
  /**
   * Makes a file that comes before all others. The same files must give the same bytes, because an interrupted download
   * may resume in the middle of them.
   */
  headOf?: (files: readonly PackedFile[]) => HeadFile
}

/** How much is read while somebody waits, to find the CRC-32 of old files. */
const READ_AT_ONCE = { files: 200, bytes: 64 * 1024 * 1024 }

/**
 * Plans an archive of the files that the reader sees. `begunWith` are the files of an interrupted download of the same
 * address.
 */
export async function makeArchive(
  parts: Parts,
  reader: Reader,
  owner: FileOwner,
  choice: ZipChoice,
  begunWith?: number[],
): Promise<Archive> {
  const { db, config } = parts
  const ownerName = await nameOf(db, reader, owner)
  const listed = await listZipFiles(
    db,
    reader,
    owner,
    begunWith ? { files: begunWith } : choice,
    config.timeZone,
  )
  if (listed.length === 0) throw nothing(choice)
  // Files of one folder need no directory, unless they are just those of a whole project or year that are there now.
  const isOfOne = listed.every(({ folder }) => folder.id === listed[0]!.folder.id)
  const hasDirectories = 'project' in owner && !(isOfOne && typeof choice === 'object' && !('year' in choice))
  return packFiles(parts, listed, {
    title: titleOf(ownerName, choice, listed),
    pathsOf: (files) => archivePaths(files, hasDirectories),
  })
}

/** Plans an archive of some files. */
export async function packFiles(
  parts: Parts,
  files: ZipFile[],
  { title, pathsOf, headOf }: ArchiveLayout,
): Promise<Archive> {
  const known = await withCrc(parts, files)
  return inTurns(
    (function* () {
      const paths = pathsOf(known)
      yield
      const packed = known.map((file, index) => ({ ...file, name: paths[index]! }))
      const head = headOf?.(packed) ?? null
      yield
      const plan = planArchive(packed, head)
      yield
      return { name: `${safeName(title)}.zip`, plan, tag: tagOf(plan) }
    })(),
  )
}

function nothing(choice: ZipChoice): Refusal {
  const from = typeof choice === 'object' && 'year' in choice ? ` fra ${choice.year}` : ''
  return Object.assign(notFound(`Her er ingen filer${from}, som du kan se.`), {
    title: 'Der er ingen filer at hente',
    help: 'Gå tilbage, og vælg noget andet.',
  })
}

async function nameOf(db: Database, reader: Reader, owner: FileOwner): Promise<string> {
  if ('project' in owner) {
    const { name, number } = await getProject(db, reader, owner.project)
    return `${name} ${number}`
  }
  await checkOwner(db, reader, owner)
  return `Filer ${(await findUserName(db, owner.user)) ?? ''}`.trim()
}

/** 'K/S Nordhavn 1024 Budget', '… 2025', '… udvalg'. */
function titleOf(ownerName: string, choice: ZipChoice, files: ZipFile[]): string {
  if (choice === 'all') return ownerName
  if ('year' in choice) return `${ownerName} ${choice.year}`
  return `${ownerName} ${'folder' in choice ? files[0]!.folder.name : 'udvalg'}`
}

type Whole = ZipFile & { crc32: number }

/** Finds the CRC-32 of files that were stored without it: at once if there are few, otherwise by a job. */
async function withCrc(parts: Parts, files: ZipFile[]): Promise<Whole[]> {
  const damaged = files.find(({ blob }) => blob.isDamaged)
  if (damaged) throw lost(damaged)
  const without = files.filter(({ crc32 }) => crc32 === null)
  const bytes = without.reduce((sum, { size }) => sum + size, 0)
  const isMuch = without.length > READ_AT_ONCE.files || bytes > READ_AT_ONCE.bytes
  if (isMuch) {
    await queueCrcs(
      parts,
      without.map(({ blob }) => blob.id),
    )
    throw notReady(without.length)
  }
  const found = await findCrcs(
    parts,
    without.map(({ blob: { id, key, sha256 }, size }) => ({ id, key, sha256, size })),
  )
  return files.map((file) => {
    const crc32 = file.crc32 ?? found.get(file.blob.id)
    if (crc32 === undefined) throw lost(file)
    return { ...file, crc32 }
  })
}

const notReady = (many: number) =>
  Object.assign(new Refusal(503, `${formatCount(many)} af filerne skal først læses igennem.`), {
    retryAfter: 30,
    title: 'ZIP-filen gøres klar',
    help: 'Prøv igen om et øjeblik.',
  })

const lost = ({ name }: ZipFile) =>
  Object.assign(new Refusal(500, `ZIP-filen kan ikke laves: Filen ”${name}” er beskadiget på serveren.`), {
    title: 'En af filerne er beskadiget',
    help: 'Du kan hente de andre filer. En administrator kan få denne hentet fra en sikkerhedskopi.',
  })

/** Returns 128 bits of a hash over everything that the archive's bytes are made of, as a UUID. */
function tagOf({ head, files }: ArchivePlan<PackedFile>): string {
  const hash = createHash('sha256')
  if (head) hash.update(head.bytes).update('\n')
  for (const { name, size, crc32, modified, blob } of files)
    hash.update(`${name}\n${size} ${crc32} ${modified.utc} ${modified.local} ${blob.sha256}\n`)
  return hash.digest('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
