import { countFiles } from '../../projects/folder.ts'
import type { Group, Target } from './pile.ts'
import { copyLetters } from '../names/copy-name.ts'

/** How a file that is being uploaded compares with the files where it goes. */
export type Duplicate = {
  /** Whether a file there has the same name. */
  same_name: boolean
  /** The file with the same name, if it can be replaced by a new version. */
  replaces: number | null
  /** The name of a file there with the same bytes. */
  same_bytes: string | null
  /** Null until the bytes are on the server. */
  sha256: string | null
}

/** A notice about a file that is there already, or twice in the pile. */
export type Finding = {
  /** 'same-bytes' is skipped unless the sender chooses to keep it; 'same-name' is only pointed out. */
  kind: 'same-bytes' | 'same-name'
  /** The text at the file's row. */
  text: string
  /** The text after the file was skipped, which has to name the place. */
  why: string
  isSkipped: boolean
  /** The file that a new version would replace; null if there is none. */
  replaces: number | null
  /** What the sender chose, or the default; null if they have to choose. */
  choice: Choice | null
}

/** What happens to a file that exists already: a new version of it, a file beside it, or nothing. */
export type Choice = 'version' | 'keep' | 'skip'

export const CHOICE_NAMES: Record<Choice, string> = {
  version: 'Ny version',
  keep: 'Behold begge',
  skip: 'Spring over',
}

/** By the file's id. */
export type Findings = ReadonlyMap<string, Finding>

export const findingsOf = (groups: Group[], found: ReadonlyMap<string, Duplicate>): Findings =>
  new Map(groups.flatMap((group) => findingsIn(group, found)))

function findingsIn({ uploads, target }: Group, found: ReadonlyMap<string, Duplicate>) {
  const findings: [id: string, finding: Finding][] = []
  const names = new Set<string>()
  const bytes = new Map<string, string>()
  const replaced = new Set<number>()
  // Of equal files the one whose name is not a copy's stays.
  const inTurn = uploads.toSorted((a, b) => copyLetters(a.name) - copyLetters(b.name))
  for (const { id, name, choice } of inTurn) {
    const { same_name: isNamed, same_bytes: twin, sha256, ...there } = found.get(id) ?? UNKNOWN
    const inPile = { hasName: names.has(name), twin: sha256 === null ? undefined : bytes.get(sha256) }
    const said = say({ name, isNamed, twin, isSent: sha256 !== null, inPile, target })
    const isFree = there.replaces !== null && !replaced.has(there.replaces)
    const replaces = said?.kind === 'same-name' && isFree ? there.replaces : null
    const chosen = said && choiceOf(said.kind, choice, replaces)
    const isSkipped = chosen === 'skip'
    if (said) findings.push([id, { ...said, isSkipped, replaces, choice: chosen }])
    if (isSkipped) continue
    if (chosen === 'version' && replaces !== null) replaced.add(replaces)
    names.add(name)
    if (sha256 !== null && !bytes.has(sha256)) bytes.set(sha256, name)
  }
  return findings
}

/** The same bytes are skipped by default. A person who could replace a file with the same name has to choose. */
function choiceOf(kind: Finding['kind'], choice: Choice | null, replaces: number | null): Choice | null {
  if (choice !== null && (choice !== 'version' || replaces !== null)) return choice
  if (kind === 'same-bytes') return 'skip'
  return replaces === null ? 'keep' : null
}

const UNKNOWN: Duplicate = { same_name: false, replaces: null, same_bytes: null, sha256: null }

type Found = {
  name: string
  isNamed: boolean
  twin: string | null
  isSent: boolean
  inPile: { hasName: boolean; twin: string | undefined }
  target: Target
}

type Said = Pick<Finding, 'kind' | 'text' | 'why'>

function say({ name, isNamed, twin, isSent, inPile, target }: Found): Said | null {
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

/** Returns the place in the form's words, with its name where the folder is known. */
function placeOf({ folder, user }: Target): { here: string; named: string } {
  if (folder) return { here: 'i mappen', named: `i ${folder.name}` }
  const there = user ? `hos ${user.name}` : 'blandt dine filer'
  return { here: there, named: there }
}

/** Returns the ids of the files for which the sender has to choose. */
export const undecidedIn = (findings: Findings): string[] =>
  [...findings].flatMap(([id, { choice }]) => (choice === null ? id : []))

/** Sums up all findings in one text. */
export function findingsText(findings: Findings): string {
  const count = (wanted: Finding['kind'], isSkipped?: boolean) =>
    [...findings.values()].filter(
      (each) => each.kind === wanted && (isSkipped ?? each.isSkipped) === each.isSkipped,
    ).length
  const [skipped, kept, named] = [count('same-bytes', true), count('same-bytes', false), count('same-name')]
  const open = undecidedIn(findings).length
  return [
    skipped > 0 && `${countFiles(skipped)} ligger der allerede og springes over.`,
    kept > 0 && `${countFiles(kept)} ligger der allerede og gemmes igen.`,
    named > 0 && `${countFiles(named)} har samme navn som en anden fil.`,
    open > 0 && 'Vælg, hvad der skal ske.',
  ]
    .filter(Boolean)
    .join(' ')
}
