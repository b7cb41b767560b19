import { formatCount } from '../../base/danish/counts.ts'
import type { Act } from '../../log/words/act.ts'

/** Later changes of a file, because of which an act can no longer be undone. */
type LaterChange = {
  /** Null if the file is deleted for good. */
  name: string | null
  /** The latest change that the log knows, and who made it; null for nobody or for the system. */
  act: Act | null
  by: string | null
  isOwn: boolean
}

const CHANGES: Partial<Record<Act, string>> = {
  'file-sorted': 'sat på en anden plads',
  'file-moved': 'flyttet',
  'file-renamed': 'omdøbt',
  'file-period-changed': 'givet en anden periode',
  'file-deleted': 'slettet',
  'file-restored': 'gendannet',
  'file-removed': 'slettet for altid',
}

/** Later acts that prevent undoing an earlier one. */
export const CHANGING = Object.keys(CHANGES)

/**
 * Says why an act cannot be undone: '”Årsrapport.pdf” er siden flyttet af Mette Holm.', or '3 af 12 filer er ændret
 * siden: ”Årsrapport.pdf” er flyttet af Mette Holm.'
 */
export function changedText(changed: number, total: number, { name, act, by, isOwn }: LaterChange): string {
  const file = name === null ? (total === 1 ? 'Filen' : 'En af filerne') : `”${name}”`
  const what = (act && CHANGES[act]) ?? 'ændret'
  const who = isOwn ? ' af dig' : by === null ? '' : ` af ${by}`
  if (changed === 1) return `${file} er siden ${what}${who}.`
  const first = name === null ? 'en af dem' : file
  return `${formatCount(changed)} af ${formatCount(total)} filer er ændret siden: ${first} er ${what}${who}.`
}
