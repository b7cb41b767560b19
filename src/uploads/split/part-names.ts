import { yearWordsIn } from '../../base/time/period.ts'
import {
  cleanFileName,
  isTooLong,
  isUnfit,
  MOST_LETTERS,
  splitExtension,
} from '../../files/names/file-name.ts'

/** The person of a part, for its name. */
type NamedFor = { name: string; number: string | null }

const SLOT = /\{([^{}]*)\}/g
const SLOTS = new Set(['nummer', 'navn'])
/** A pattern is as long as a file's name at most; its slots are replaced by more. */
export const MOST_PATTERN = 200

/** Returns the fault of a pattern such as 'Årsopgørelse ({nummer}) 2025.pdf'; null if it is fine. */
export function patternFault(pattern: string): string | null {
  const clean = cleanFileName(pattern)
  if (clean === '') return 'Skriv, hvad filerne skal hedde.'
  if (pattern.length > MOST_PATTERN) return `Filnavnet må højst være på ${MOST_PATTERN} tegn.`
  if (isUnfit(pattern)) return 'Filnavnet må ikke indeholde skråstreger eller styretegn.'
  const slots = [...clean.matchAll(SLOT)].map(([, slot]) => slot!.trim().toLowerCase())
  const unknown = slots.find((slot) => !SLOTS.has(slot))
  if (unknown !== undefined) return `Brug kun {nummer} og {navn}, ikke {${unknown}}.`
  if (slots.length === 0) return 'Brug {nummer} eller {navn}, så filerne kan kendes fra hinanden.'
  if (/[{}]/.test(clean.replace(SLOT, ''))) return 'Der mangler en krøllet parentes.'
  if (!/[^.\s]\s*\.pdf$/i.test(clean)) return 'Navnet skal slutte på .pdf.'
  return null
}

/** Fills in a pattern without a fault. A name as 'Holm A/S' loses its stroke, which no file name can have. */
export function partName(pattern: string, { name, number }: NamedFor): string {
  const filled = cleanFileName(pattern).replace(SLOT, (_all, slot: string) =>
    slot.trim().toLowerCase() === 'navn' ? name.replaceAll(/[/\\{}]/g, '') : (number ?? ''),
  )
  return cleanFileName(filled)
}

/** Says why somebody's part cannot have that name; null if it can. */
export function partNameFault(pattern: string, person: NamedFor): string | null {
  if (person.number === null && /\{\s*nummer\s*\}/i.test(pattern))
    return `${person.name} har intet nummer. Brug {navn} i filnavnet.`
  const name = partName(pattern, person)
  if (isTooLong(name)) return `Filnavnet til ${person.name} bliver længere end ${MOST_LETTERS} tegn.`
  return isUnfit(name) ? `Filnavnet til ${person.name} kan ikke bruges.` : null
}

/** 'Årsopgørelser 2025.pdf' suggests 'Årsopgørelser ({nummer}) 2025.pdf'. */
export function suggestPattern(fileName: string): string {
  const { stem } = splitExtension(cleanFileName(fileName))
  const plain = stem.replaceAll(/[{}/\\]/g, '').replaceAll(/\([^()]*\)/g, ' ')
  const year = yearWordsIn(plain) ?? ''
  const before = cleanFileName(plain.replace(year, ' '))
  const room = MOST_PATTERN - `({nummer}) ${year}.pdf`.length - 1
  return [before.slice(0, room).trim(), '({nummer})', year].filter((part) => part !== '').join(' ') + '.pdf'
}
