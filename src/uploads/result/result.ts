import type { FileGroup, FilePlace } from '../../files/file/stored-file.ts'
import { countFiles } from '../../projects/folder.ts'

/** A file that was not stored, because its folder had the same bytes: in `twin`, if the reader still sees that. */
export type SkippedFile = FilePlace & { name: string; twin: string | null }

export type Result = {
  /** The address of the form it was sent from, to send more; null if unknown. */
  form: string | null
  groups: FileGroup[]
  skipped: SkippedFile[]
  /** How many of its files have been deleted since. */
  deleted: number
}

/** Returns the page's title; `isSent` if the reader has sent the files to the office. */
export function resultTitle({ groups, deleted, skipped }: Result, isSent: boolean): string {
  if (filesIn(groups) + deleted === 0 && skipped.length > 0) return 'Ingen nye filer'
  const files = filesIn(groups) + deleted === 1 ? 'Filen' : 'Filerne'
  return `${files} er ${isSent ? 'sendt' : 'gemt'}`
}

/** '12 filer er gemt i 3 mapper.' A single place is not mentioned: its name stands just below. */
export function resultText({ groups, deleted, skipped }: Result, isSent: boolean): string {
  const files = filesIn(groups)
  if (files + deleted === 0 && skipped.length > 0)
    return skipped.length === 1 ? 'Filen lå der allerede.' : 'Filerne lå der allerede.'
  if (files === 0) return deleted === 1 ? 'Filen er slettet siden.' : 'Filerne er slettet siden.'
  const done = `${countFiles(files)} er ${isSent ? 'sendt til kontoret' : `gemt${placesOf(groups)}`}.`
  return deleted === 0 ? done : `${done} ${countFiles(deleted)} er slettet siden.`
}

function placesOf(groups: FileGroup[]): string {
  if (groups.length < 2) return ''
  const users = groups.filter(({ user }) => user).length
  const folders = groups.length - users
  return [
    folders > 0 && ` i ${folders} ${folders === 1 ? 'mappe' : 'mapper'}`,
    users > 0 && ` hos ${users} ${users === 1 ? 'person' : 'personer'}`,
  ]
    .filter(Boolean)
    .join(' og')
}

/** ”Filen ligger der allerede: ”Budget.pdf” i Budget.” */
export function skippedText({ twin, folder, project, user }: SkippedFile, isSent: boolean): string {
  if (twin === null) return 'Filen lå der allerede.'
  const place = project ? `i ${folder.name}` : isSent ? 'blandt dine filer' : `hos ${user!.name}`
  return `Filen ligger der allerede: ”${twin}” ${place}.`
}

const filesIn = (groups: FileGroup[]) => groups.reduce((sum, { files }) => sum + files.length, 0)
