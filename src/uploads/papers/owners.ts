import type { Directory } from './directory.ts'
import type { Owners } from './judgement.ts'
import type { PaperFacts } from './paper-facts.ts'
import { nameParts } from '../../base/person-name.ts'

/**
 * Returns whose a paper is, if it is several people's: by their numbers, or as those it is written to. Namesakes count once, and
 * contact persons do not.
 */
export function ownersOf(
  { people, strangers }: Pick<PaperFacts, 'people' | 'strangers'>,
  directory: Pick<Directory, 'people'>,
): Owners | null {
  const owners = new Map<string, { name: string; page: number }>()
  for (const { id, hasNumber, hasAddress, isContact, reasons } of people) {
    const name = directory.people.get(id)?.name
    if (name === undefined || !(hasNumber || (hasAddress && !isContact))) continue
    const own = reasons.filter(({ kind }) => (hasNumber ? kind === 'number' : kind === 'name'))
    const key = nameParts(name).toSorted().join(' ')
    if (!owners.has(key)) owners.set(key, { name, page: Math.min(...own.map(({ page }) => page)) })
  }
  const known = new Set(Array.from(owners.values(), ({ page }) => page))
  for (const { by, said, page } of strangers)
    // On a page of a known person it may be a mistake.
    if ((by === 'number' || by === 'label') && !known.has(page))
      owners.set(said, { name: by === 'number' ? `nummer ${said}` : said, page })
  if (owners.size < 2) return null
  const pages = new Set(Array.from(owners.values(), ({ page }) => page))
  return { names: Array.from(owners.values(), ({ name }) => name), divides: pages.size > 1 }
}
