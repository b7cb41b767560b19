import { formatCount } from '../base/danish/counts.ts'
import { cleanLine } from '../base/text.ts'
import type { FieldWords } from '../server/edits.ts'
import { expectsText, type Expects } from './expected/expects.ts'

/** The folders of one project, by its id, or of the template. */
export type FolderSet = number | 'template'

export const projectOf = (set: FolderSet): number | null => (set === 'template' ? null : set)

/** A folder's settings, without its files. */
export type Folder = Expects & {
  id: number
  name: string
  /** Other names in file names that put a file in this folder. */
  sub_names: string[]
  visible_to_investors: boolean
  files_count: number
}

/** Omitted expectations are unchanged. */
export type FolderFields = Pick<Folder, 'name' | 'sub_names' | 'visible_to_investors'> & {
  [Name in keyof Expects]?: Expects[Name] | undefined
}

/** '1 fil', '2 filer', '2.000 filer'. */
export const countFiles = (files: number) => `${formatCount(files)} ${files === 1 ? 'fil' : 'filer'}`

/**
 * Returns the key that is equal for equal folder names: S5.2. Case matters where two folders differ by nothing else; a file's
 * name may be in another case: `uploads/names/resolve.db.ts`.
 */
export function folderKey(name: string): string {
  return cleanLine(name)
}

/** Whether a text can be part of a file name, before or inside the parentheses. */
export function fitsInFileName(text: string): boolean {
  return !/[()/\\]/.test(text)
}

/** A folder's move: one place up or down, or to right after another folder (null: to the start). */
export type FolderMove = 'up' | 'down' | { after: number | null }

/** Returns the order after a move, or null if it is impossible: an unknown folder, or past an end. */
export function moveInOrder(ids: readonly number[], id: number, move: FolderMove): number[] | null {
  const at = ids.indexOf(id)
  if (at < 0) return null
  const rest = ids.filter((each) => each !== id)
  const target = targetOf(rest, at, move)
  return target < 0 || target > rest.length ? null : rest.toSpliced(target, 0, id)
}

function targetOf(rest: number[], at: number, move: FolderMove): number {
  if (move === 'up') return at - 1
  if (move === 'down') return at + 1
  if (move.after === null) return 0
  const before = rest.indexOf(move.after)
  return before < 0 ? -1 : before + 1
}

/**
 * The values that the form of a folder changes. Its expectation is one value, since its first and last period belong
 * together.
 */
type FolderValues = Pick<Folder, 'name' | 'sub_names' | 'visible_to_investors'> & { expected: Expects }

export const folderValues = (folder: Omit<Folder, 'id' | 'files_count'>): FolderValues => ({
  name: folder.name,
  sub_names: folder.sub_names,
  visible_to_investors: folder.visible_to_investors,
  expected: {
    expects: folder.expects,
    expects_from: folder.expects_from,
    expects_to: folder.expects_to,
    due_months: folder.due_months,
  },
})

export const FOLDER_WORDS: FieldWords<FolderValues> = {
  name: 'Navn',
  sub_names: 'Undernavne',
  visible_to_investors: 'Deles med investorer',
  expected: {
    label: 'Forventede filer',
    say: (expected) =>
      expected.expects === 'none'
        ? 'Ingen forventning'
        : `${expectsText(expected)}, senest ${expected.due_months} måneder efter perioden`,
  },
}
