import type { Group, Target } from './pile.ts'

/** What is known of a file on its way, beside what lies where it is to go. */
export type Duplicate = {
  /** Whether a file there has the same name. */
  same_name: boolean
  /** The name of one with the same bytes. */
  same_bytes: string | null
  /** Of the bytes, once they are there. */
  sha256: string | null
}

/** What is to be said of each file that is there already, or twice in the pile; by its id. */
export function warningsOf(groups: Group[], found: ReadonlyMap<string, Duplicate>): Map<string, string> {
  const warnings = new Map<string, string>()
  for (const { uploads, target } of groups) {
    const there = placeOf(target)
    const names = new Set<string>()
    const bytes = new Map<string, string>()
    for (const { id, name, isSkipped } of uploads) {
      const { same_name: isNamed, same_bytes: twin, sha256 } = found.get(id) ?? UNKNOWN
      const sameInPile = sha256 === null ? undefined : bytes.get(sha256)
      const text = warning({
        name,
        isNamed,
        twin,
        isTwice: names.has(name),
        sameInPile,
        isSent: sha256 !== null,
        there,
      })
      if (text) warnings.set(id, text)
      if (isSkipped) continue
      names.add(name)
      if (sha256 !== null && !bytes.has(sha256)) bytes.set(sha256, name)
    }
  }
  return warnings
}

/** In a page's words. */
function placeOf({ folder, user }: Target): string {
  if (folder) return 'i mappen'
  return user ? `hos ${user.name}` : 'blandt dine filer'
}

const UNKNOWN: Duplicate = { same_name: false, same_bytes: null, sha256: null }

type Found = {
  name: string
  isNamed: boolean
  twin: string | null
  isTwice: boolean
  sameInPile: string | undefined
  isSent: boolean
  there: string
}

function warning({ name, isNamed, twin, isTwice, sameInPile, isSent, there }: Found): string | null {
  if (isNamed && twin === name) return `Findes allerede ${there} med samme indhold.`
  if (isNamed && twin !== null) return `Navnet findes allerede ${there}, og indholdet er som i ”${twin}”.`
  if (isNamed) return `Navnet findes allerede ${there}${isSent ? ', men med et andet indhold' : ''}.`
  if (twin !== null) return `Samme indhold som ”${twin}”, der ligger ${there}.`
  if (isTwice)
    return sameInPile === name ? 'Er med to gange med samme indhold.' : 'En anden af filerne har samme navn.'
  return sameInPile === undefined ? null : `Samme indhold som ”${sameInPile}”.`
}
