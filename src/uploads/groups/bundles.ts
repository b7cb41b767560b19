import { formatCount } from '../../base/danish/counts.ts'
import { countFiles } from '../../projects/folder.ts'
import { faultText, type Fault } from '../names/placing.ts'
import type { Upload } from '../transport/upload.ts'
import type { Group, Ignored } from '../pile/pile.ts'

/** With more groups, or more ignored files, a pile is shown as closed lines. */
export const MOST_GROUPS = 8

/** Everything in the pile for one project or one person: one line of a large pile. */
export type Bundle = {
  key: string
  groups: Group[]
  files: number
  bytes: number
  /** How many of its files are not saved. */
  skipped: number
}

/** Bundles groups by project and person, in their order. */
export function bundlesOf(groups: readonly Group[], isSkipped: (upload: Upload) => boolean): Bundle[] {
  const bundles = new Map<string, Bundle>()
  for (const group of groups) {
    const { project, user } = group.target
    const key = project ? `project ${project.id}` : `user ${user?.id ?? ''}`
    const bundle = bundles.get(key) ?? { key, groups: [], files: 0, bytes: 0, skipped: 0 }
    bundles.set(key, bundle)
    bundle.groups.push(group)
    bundle.files += group.uploads.length
    bundle.bytes += group.bytes
    bundle.skipped += group.uploads.filter(isSkipped).length
  }
  return [...bundles.values()]
}

/** '18 filer gemmes. 3 filer springes over.': what happens to the files of a pile. */
export function readyText(groups: readonly Group[], skipped: number): string {
  const files = groups.reduce((sum, { uploads }) => sum + uploads.length, 0) - skipped
  const saved = files > 0 ? `${countFiles(files)} gemmes.` : ''
  return [saved, skipped > 0 && `${countFiles(skipped)} springes over.`].filter(Boolean).join(' ')
}

/** '212 deles med investorer, 40 kun kontoret, 48 til personer': who will see the files of a pile that are saved. */
export function seenByText(
  groups: readonly Group[],
  isShared: (group: Group) => boolean,
  isSkipped: (upload: Upload) => boolean = () => false,
): string {
  const counts = new Map<string, number>(SEEN_BY.map((text) => [text, 0]))
  for (const group of groups) {
    const { folder, project } = group.target
    const text = SEEN_BY[!folder ? 3 : isShared(group) ? 0 : project?.has_auditor ? 1 : 2]
    counts.set(text, counts.get(text)! + group.uploads.filter((upload) => !isSkipped(upload)).length)
  }
  return [...counts].flatMap(([text, files]) => (files > 0 ? `${formatCount(files)} ${text}` : [])).join(', ')
}

const SEEN_BY = ['deles med investorer', 'kontoret og revisor', 'kun kontoret', 'til personer'] as const

/** Groups ignored files by their fault, most files first. */
export function groupByFault(ignored: readonly Ignored[]): { title: string; ignored: Ignored[] }[] {
  const groups = Map.groupBy(ignored, ({ fault }) => titleOf(fault))
  return [...groups]
    .map(([title, theirs]) => ({ title, ignored: theirs }))
    .sort((a, b) => b.ignored.length - a.ignored.length)
}

/** The same folder may be missing in several projects. */
const titleOf = (fault: Fault) =>
  fault.kind === 'folder' ? `Mappen ”${fault.folder}” findes ikke i projektet.` : faultText(fault)
