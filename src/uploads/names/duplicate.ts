import { countFiles } from '../../projects/folder.ts'
import type { Group, Target } from '../form/pile.ts'

/** What is known of a file on its way, beside what lies where it is to go. */
export type Duplicate = {
  /** Whether a file there has the same name. */
  same_name: boolean
  /** The name of one with the same bytes. */
  same_bytes: string | null
  /** Of the bytes, once they are there. */
  sha256: string | null
}

/** What was found out about a file that is there already, or twice in the pile. */
export type Finding = {
  /** The same bytes are left out unless their sender says otherwise; the same name alone is only pointed out. */
  kind: 'same-bytes' | 'same-name'
  /** At its row. */
  text: string
  /** Once it has been left out, where the place has to be named. */
  why: string
  isSkipped: boolean
}

/** By the id of each file of which there is something to say. */
export type Findings = ReadonlyMap<string, Finding>

export function findingsOf(groups: Group[], found: ReadonlyMap<string, Duplicate>): Findings {
  const findings = new Map<string, Finding>()
  for (const { uploads, target } of groups) {
    const names = new Set<string>()
    const bytes = new Map<string, string>()
    for (const { id, name, choice } of uploads) {
      const { same_name: isNamed, same_bytes: twin, sha256 } = found.get(id) ?? UNKNOWN
      const inPile = { hasName: names.has(name), twin: sha256 === null ? undefined : bytes.get(sha256) }
      const said = say({ name, isNamed, twin, isSent: sha256 !== null, inPile, target })
      const isSkipped = said !== null && (choice ?? DEFAULTS[said.kind]) === 'skip'
      if (said) findings.set(id, { ...said, isSkipped })
      if (isSkipped) continue
      names.add(name)
      if (sha256 !== null && !bytes.has(sha256)) bytes.set(sha256, name)
    }
  }
  return findings
}

const DEFAULTS = { 'same-bytes': 'skip', 'same-name': 'keep' } as const

const UNKNOWN: Duplicate = { same_name: false, same_bytes: null, sha256: null }

type Found = {
  name: string
  isNamed: boolean
  twin: string | null
  isSent: boolean
  inPile: { hasName: boolean; twin: string | undefined }
  target: Target
}

function say({ name, isNamed, twin, isSent, inPile, target }: Found): Omit<Finding, 'isSkipped'> | null {
  const { here, named } = placeOf(target)
  if (twin !== null)
    return {
      kind: 'same-bytes',
      text: `Filen ligger allerede ${here}${twin === name ? '' : ` som ”${twin}”`}.`,
      why: `Filen ligger der allerede: ”${twin}” ${named}.`,
    }
  if (inPile.twin !== undefined) {
    const isSame = inPile.twin === name
    const text = isSame ? 'Filen er med to gange.' : `Filen har samme indhold som ”${inPile.twin}”.`
    return { kind: 'same-bytes', text, why: isSame ? text : `Filen er også med som ”${inPile.twin}”.` }
  }
  if (isNamed) {
    const other = `Der ligger en${isSent ? ' anden' : ''} fil med samme navn`
    return { kind: 'same-name', text: `${other} ${here}.`, why: `${other} ${named}.` }
  }
  if (!inPile.hasName) return null
  const text = 'En anden af filerne har samme navn.'
  return { kind: 'same-name', text, why: text }
}

/** In the words of the form, where the place is known, and with its name. */
function placeOf({ folder, user }: Target): { here: string; named: string } {
  if (folder) return { here: 'i mappen', named: `i ${folder.name}` }
  const there = user ? `hos ${user.name}` : 'blandt dine filer'
  return { here: there, named: there }
}

/** What is said of all of them together. */
export function findingsText(findings: Findings): string {
  const count = (wanted: Finding['kind'], isSkipped?: boolean) =>
    [...findings.values()].filter(
      (each) => each.kind === wanted && (isSkipped ?? each.isSkipped) === each.isSkipped,
    ).length
  const [skipped, kept, named] = [count('same-bytes', true), count('same-bytes', false), count('same-name')]
  return [
    skipped > 0 && `${countFiles(skipped)} ligger der allerede og springes over.`,
    kept > 0 && `${countFiles(kept)} ligger der allerede og gemmes igen.`,
    named > 0 && `${countFiles(named)} har samme navn som en anden fil.`,
  ]
    .filter(Boolean)
    .join(' ')
}
