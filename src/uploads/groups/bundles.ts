import { formatCount } from '../../base/counts.ts'
import { faultText, type Fault } from '../names/placing.ts'
import { sumOf, type Upload } from '../transport/upload.ts'
import type { Group, Ignored } from '../pile/pile.ts'
import type { Repair } from '../pile/repair.ts'

/** With more groups, or more ignored files, a pile is shown as closed lines. */
export const MOST_GROUPS = 8

/** Everything in the pile for one project or one person: one line of a large pile. */
export type Bundle = {
  key: string
  groups: Group[]
  files: number
  bytes: number
  /** How many of its files somebody should look at. */
  toSee: number
}

/** Bundles groups by project and person, in their order. */
export function bundlesOf(groups: readonly Group[], isToSee: (upload: Upload) => boolean): Bundle[] {
  const bundles = new Map<string, Bundle>()
  for (const group of groups) {
    const { project, user } = group.target
    const key = project ? `project ${project.id}` : `user ${user?.id ?? ''}`
    const bundle = bundles.get(key) ?? { key, groups: [], files: 0, bytes: 0, toSee: 0 }
    bundles.set(key, bundle)
    bundle.groups.push(group)
    bundle.files += group.uploads.length
    bundle.bytes += group.bytes
    bundle.toSee += group.uploads.filter(isToSee).length
  }
  return [...bundles.values()]
}

/** Leaves only the files that somebody should look at. */
export function onlyNeedingAttention(
  groups: readonly Group[],
  isToSee: (upload: Upload) => boolean,
): Group[] {
  return groups.flatMap((group) => {
    const uploads = group.uploads.filter(isToSee)
    return uploads.length > 0 ? [{ ...group, uploads, bytes: sumOf(uploads, 'size') }] : []
  })
}

/** '212 deles med investorer, 40 kun kontoret, 48 til personer': who will see the files of a pile. */
export function seenByText(groups: readonly Group[], isShared: (group: Group) => boolean): string {
  const counts = new Map<string, number>(SEEN_BY.map((text) => [text, 0]))
  for (const group of groups) {
    const { folder, project } = group.target
    const text = SEEN_BY[!folder ? 3 : isShared(group) ? 0 : project?.has_auditor ? 1 : 2]
    counts.set(text, counts.get(text)! + group.uploads.length)
  }
  return [...counts].flatMap(([text, files]) => (files > 0 ? `${formatCount(files)} ${text}` : [])).join(', ')
}

const SEEN_BY = ['deles med investorer', 'kontoret og revisor', 'kun kontoret', 'til personer'] as const

/** Ignored files with the same fault, and what repairs all of them at once. */
type FaultGroup = {
  key: string
  title: string
  ignored: Ignored[]
  repair: { text: string; how: Repair | 'proposed' } | null
}

/** Groups ignored files by their fault, most files first; those that one press repairs come before. */
export function groupByFault(ignored: readonly Ignored[]): FaultGroup[] {
  const groups = new Map<string, FaultGroup>()
  for (const each of ignored) {
    const { proposal, fault } = each
    const title = guessTitle(each) ?? (proposal === null ? titleOf(fault) : NEARLY)
    const group = groups.get(title) ?? { key: title, title, ignored: [], repair: null }
    groups.set(title, group)
    group.ignored.push(each)
    if (proposal !== null)
      group.repair = { text: title === SURE ? 'Læg dem der' : 'Ret som foreslået', how: 'proposed' }
    else if (fault.kind === 'folder' && fault.near !== null)
      group.repair = { text: `Ret til ${fault.near}`, how: { folder: fault.near } }
  }
  return [...groups.values()].sort(
    (a, b) => Number(b.repair !== null) - Number(a.repair !== null) || b.ignored.length - a.ignored.length,
  )
}

const NEARLY = 'Navnet følger næsten reglen, og Ringbind har et forslag'
const SURE = 'Sikker: papirerne siger selv, hvor de hører til'

/** What the papers say, if their names say nothing. */
function guessTitle({ proposal, judgement }: Ignored): string | null {
  if (!judgement?.best || judgement.sureness === 'unknown') return null
  if (judgement.sureness === 'maybe') return 'Måske: se på forslagene'
  return proposal === judgement.best.name ? SURE : null
}

/** The same folder is missing in several projects for the same reason. */
function titleOf(fault: Fault): string {
  if (fault.kind !== 'folder') return faultText(fault)
  const near = fault.near === null ? '' : `. Mente du ${fault.near}?`
  return `Mappen ”${fault.folder}” findes ikke${near || ' i projektet.'}`
}
