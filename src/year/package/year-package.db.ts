import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { listLenders } from '../../access/lenders.db.ts'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { isPersonSeen, isProjectSeen } from '../../access/seen.db.ts'
import { nestedPaths } from '../../files/zip/archive-names.ts'
import type { HeadFile } from '../../files/zip/archive-plan.ts'
import { packFiles, type Archive, type PackedFile } from '../../files/zip/zip-archive.db.ts'
import { listZipFiles, type ZipFile } from '../../files/zip/zip-files.db.ts'
import { findOffice } from '../../office/office.db.ts'
import type { AccountingYears } from '../../projects/expected/accounting-year.ts'
import { readAccountingYears } from '../../projects/expected/accounting-years.db.ts'
import { getProject } from '../../projects/project/projects.db.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import type { Parts } from '../../server/parts.ts'
import { periodName } from '../../projects/expected/period-name.ts'
import { contentsPage, type ContentsGroup } from './contents-page.ts'

/** The scope of a package: a project, all that one person lends an adviser, or everything that the reader sees. */
export type PackageScope = { project: number } | { lender: number } | 'everything'

/** More would make its table of contents too large. */
const MOST_PACKED = 20_000

const CONTENTS = 'Indhold.html'

/** Plans the package of a year. `begunWith` are the files that a broken download of the same address began with. */
export async function makeYearPackage(
  parts: Parts,
  reader: Reader & { name: string },
  scope: PackageScope,
  year: number,
  begunWith?: number[],
): Promise<Archive> {
  const { db, config } = parts
  const whose = await nameOf(db, reader, scope)
  const choice = begunWith ? { files: begunWith } : { year }
  const listed = await listZipFiles(db, reader, scope, choice, config.timeZone, MOST_PACKED)
  if (listed.length === 0) throw nothing(year)
  const owners = await readOwners(db, reader, listed)
  const { name: office } = await findOffice(db)
  const ownerOf = ({ owner }: ZipFile): Owner => {
    const found = owners.get(keyOf(owner))
    if (!found) throw notFound('En af filerne findes ikke længere.')
    return found
  }
  const files = listed.toSorted((a, b) => ownerOf(a).place - ownerOf(b).place)
  return packFiles(parts, files, {
    title: `Årspakke ${year} - ${plain(whose)}`,
    pathsOf: () =>
      nestedPaths(
        files.map((file) => ({ name: file.name, directories: directoriesOf(file, ownerOf(file), scope) })),
        [CONTENTS],
      ),
    headOf: (packed) =>
      headOf(packed, { year, whose, office, groups: groupsOf(packed, files, ownerOf, year) }),
  })
}

function nothing(year: number) {
  return Object.assign(notFound(`Her er ingen filer fra ${year}, som du kan se.`), {
    title: 'Der er ingen filer at hente',
    help: 'Gå tilbage, og vælg et andet år.',
  })
}

async function nameOf(db: Database, reader: Reader & { name: string }, scope: PackageScope): Promise<string> {
  if (scope === 'everything') return reader.name
  if ('project' in scope) {
    const { number, name } = await getProject(db, reader, scope.project)
    return `${number} ${name}`
  }
  const [lender] = await listLenders(db, reader, scope.lender)
  if (!lender) throw notFound('Personen findes ikke.')
  return lender.name
}

/** A project or a person, in the order of the package. */
type Owner = {
  name: string
  place: number
  /** Null for a person. */
  years: AccountingYears | null
}

const keyOf = (owner: FileOwner) => ('project' in owner ? `p${owner.project}` : `u${owner.user}`)

/** Reads whose the files are: projects by number, then people by name. */
async function readOwners(db: Database, reader: Reader, files: ZipFile[]): Promise<Map<string, Owner>> {
  const projects = new Set(files.flatMap(({ owner }) => ('project' in owner ? owner.project : [])))
  const people = new Set(files.flatMap(({ owner }) => ('user' in owner ? owner.user : [])))
  const { rows: ofProjects } = await sql<{ id: number; number: string; name: string }>`
    select id, number, name from projects
    where id = any (${[...projects]}::bigint[]) and ${isProjectSeen(reader)} order by number`.execute(db)
  const years = await readAccountingYears(db, [...projects])
  const { rows: ofPeople } = await sql<{ id: number; name: string }>`
    select id, name from users where id = any (${[...people]}::bigint[]) and ${isPersonSeen(reader)}
    order by name, id`.execute(db)
  const own = (id: number, name: string) => (id === reader.id ? 'Mine filer' : `Egne filer - ${name}`)
  const all = [
    ...ofProjects.map(({ id, number, name }) => ({
      key: keyOf({ project: id }),
      name: `${number} ${name}`,
      years: years.get(id) ?? null,
    })),
    ...ofPeople.map(({ id, name }) => ({ key: keyOf({ user: id }), name: own(id, name), years: null })),
  ]
  return new Map(all.map(({ key, ...owner }, place) => [key, { ...owner, place }]))
}

/** 'K/S Nordhavn' becomes 'K-S Nordhavn', which reads better than 'K_S'. */
const plain = (name: string) => name.replaceAll('/', '-')

/** '1024 K-S Nordhavn/Årsrapport', 'Mine filer'; a project's own package begins with its folders. */
function directoriesOf({ owner, folder }: ZipFile, { name }: Owner, scope: PackageScope) {
  const top = { id: keyOf(owner), name: plain(name) }
  if ('user' in owner) return [top]
  return scope !== 'everything' && 'project' in scope ? [folder] : [top, folder]
}

/** Groups the files for the table of contents. They are in the order of their owners and folders. */
function groupsOf(
  packed: readonly PackedFile[],
  listed: readonly ZipFile[],
  ownerOf: (file: ZipFile) => Owner,
  year: number,
): ContentsGroup[] {
  const groups: (ContentsGroup & { owner: Owner })[] = []
  let folder = 0
  for (const [index, file] of packed.entries()) {
    const owner = ownerOf(file)
    if (groups.at(-1)?.owner !== owner) groups.push({ name: owner.name, folders: [], owner })
    const { folders } = groups.at(-1)!
    if (folders.length === 0 || folder !== file.folder.id)
      folders.push({ name: 'project' in file.owner ? file.folder.name : '', files: [] })
    folder = file.folder.id
    folders.at(-1)!.files.push({
      name: listed[index]!.name,
      path: file.name,
      period: periodName(file.period ?? String(year), owner.years),
      day: new Date(file.modified.local * 1000).toISOString().slice(0, 10),
      size: file.size,
    })
  }
  return groups.map(({ name, folders }) => ({ name, folders }))
}

/** Makes the table of contents. It is as old as the newest file, so that the same files give the same bytes. */
function headOf(files: readonly PackedFile[], contents: Parameters<typeof contentsPage>[0]): HeadFile {
  const bytes = Buffer.from(contentsPage(contents))
  const { modified } = files.reduce((newest, file) =>
    file.modified.utc > newest.modified.utc ? file : newest,
  )
  return { name: CONTENTS, bytes, size: bytes.length, crc32: crc32(bytes), modified }
}
