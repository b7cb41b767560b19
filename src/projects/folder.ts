import { formatCount } from '../base/counts.ts'
import { cleanLine } from '../base/text.ts'

/** A folder as it is set up; what is in it is another matter. */
export type Folder = {
  id: number
  name: string
  /** Other names that lead a file here. */
  sub_names: string[]
  visible_to_investors: boolean
  files_count: number
}

export type FolderFields = Pick<Folder, 'name' | 'sub_names' | 'visible_to_investors'>

/** '1 fil', '2 filer', '2.000 filer'. */
export const countFiles = (files: number) => `${formatCount(files)} ${files === 1 ? 'fil' : 'filer'}`

/** What makes two names of folders the same: S5.2. Letter case counts. */
export function folderKey(name: string): string {
  return cleanLine(name)
}

/** Whether a text can stand in a file's name, before or inside the parentheses. */
export function fitsInFileName(text: string): boolean {
  return !/[()/\\]/.test(text)
}

/** Where a folder goes: one place, or right after another (null: first). */
export type FolderMove = 'up' | 'down' | { after: number | null }

/** The order after a move; null when there is no such move: a stranger, or past an end. */
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
