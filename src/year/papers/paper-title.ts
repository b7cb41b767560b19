import { typedPeriod, yearWordsIn } from '../../base/time/period.ts'
import { isLentTo, type Role } from '../../rights.ts'
import { readFileName, splitExtension } from '../../files/names/file-name.ts'

type Named = {
  /** Null for a person's own file. */
  folder: string | null
  /** As its project writes it: '2024/25'. '' if it has none. */
  period: string
  /** The file's name; '' for a paper that has not come. */
  name: string
  /** Whose it is. */
  whose: string
}

/**
 * Says what a paper is: 'Årsrapport 2025 · Nordhavn Kontorhus', 'Generalforsamling 2025, Referat · Nordhavn Kontorhus',
 * 'Årsopgørelse 2025 · Mine filer', 'Vedtægter · Nordhavn Kontorhus'.
 */
export function paperTitle({ folder, period, name, whose }: Named): string {
  const { stem } = splitExtension(name)
  const said = readFileName(name)
  if (folder === null) return `${said ? joined(said.folder, said.rest) : stem} · ${whose}`
  if (period === '') return `${said ? said.rest || said.folder : stem} · ${whose}`
  const more = said ? withoutPeriod(said.rest) : ''
  return `${joined(folder, period)}${more === '' ? '' : `, ${more}`} · ${whose}`
}

const joined = (...words: string[]) => words.filter(Boolean).join(' ')

/** 'Referat 12. maj 2026' becomes 'Referat 12. maj'; nothing is left of 'Q3 2026' and 'Indkomståret 2025'. */
function withoutPeriod(rest: string): string {
  if (typedPeriod(rest)) return ''
  const left = rest
    .replace(yearWordsIn(rest) ?? '', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return /^(?:\p{L}*år(?:et)?)?$/iu.test(left) ? '' : left
}

/** Whose the files of a person are, as the reader sees it. */
export const ownFiles = (role: Role) => (isLentTo(role) ? 'Egne filer' : 'Mine filer')

/** 'K/S Nordhavn Kontorhus' becomes 'Nordhavn Kontorhus': all of them are K/S companies. */
export const shortProjectName = (name: string) => name.replace(/^K\/S\s+(?=\S)/i, '')
