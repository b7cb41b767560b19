import {
  cleanFileName,
  keyInName,
  readFileName,
  renamed,
  splitExtension,
} from '../../files/names/file-name.ts'
import type { UploadForm } from './pile.ts'
import type { Fault } from '../names/placing.ts'

/** The correction of a name: the folder before the parenthesis, the number inside it, or both; or a person's number alone. */
export type Repair = { folder?: string; key?: string; isPerson?: boolean }

/** S5.10: returns a name that follows the convention, so that the server needs no exception. */
export function repaired(form: UploadForm, name: string, { folder, key, isPerson }: Repair): string {
  const said = readFileName(name)
  if ((form.kind === 'users' || isPerson) && keyInName(name) === null) return addressed(name, key!)
  return renamed(name, { folder: folder ?? said?.folder ?? '', key: key ?? said?.key ?? '' })
}

/** 'Brev.pdf' becomes 'Brev (2001).pdf': the text before a person's number is free. */
function addressed(name: string, key: string): string {
  const { stem, extension } = splitExtension(cleanFileName(name))
  const words = cleanFileName(stem.replaceAll(/[()]/g, ' ')) || 'Fil'
  return `${words} (${key})${extension}`
}

type Faulty = { upload: { name: string }; fault: Fault }

/** Returns whether the repair of one file also repairs the other. */
export function isSameFault({ upload, fault: a }: Faulty, { upload: other, fault: b }: Faulty): boolean {
  if (a.kind === 'folder') return b.kind === 'folder' && a.folder === b.folder
  if (a.kind === 'project' || a.kind === 'other-project' || a.kind === 'user' || a.kind === 'number')
    return b.kind === a.kind && a.key === b.key
  // Names without a parenthesis may mean anything, but 'Scan 0001' and 'Scan 0002' mean the same.
  return a.kind === 'name' && b.kind === 'name' && wordsOf(upload.name) === wordsOf(other.name)
}

const wordsOf = (name: string) =>
  cleanFileName(splitExtension(cleanFileName(name)).stem.replaceAll(/\d+/g, ' '))

/** Returns the same repair for another file, whose own folder stays unless it was the same wrong one. */
export function sameFor(other: string, { name, repair }: { name: string; repair: Repair }): Repair {
  const [mine, theirs] = [readFileName(name), readFileName(other)]
  const isOther = repair.folder !== undefined && mine && theirs && mine.folder !== theirs.folder
  return isOther && repair.key !== undefined ? { key: repair.key } : repair
}

/** Returns whether a new name helps. Otherwise the file can only be left out. */
export const isRepairable = ({ kind }: Fault) => kind !== 'not-pdf' && kind !== 'refused'
