import { memo, useCallback, useState, type ReactNode } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { countFiles } from '../../projects/folder.ts'
import type { Findings } from '../pile/duplicate.ts'
import type { Upload } from '../transport/upload.ts'
import type { Widget } from '../transport/widget.ts'
import { bundlesOf, MOST_GROUPS, readyText, seenByText, type Bundle } from './bundles.ts'
import { Fold } from './fold.tsx'
import { isAtOnePlace, type Group, type UploadForm } from '../pile/pile.ts'
import { UploadGroup } from './upload-group.tsx'
import type { RowActs } from './upload-row.tsx'
import { useGrowing } from './use-growing.ts'

type Props = {
  form: UploadForm
  groups: readonly Group[]
  isShared: (group: Group) => boolean
  findings: Findings
  acts: RowActs
  widget: Widget
  /** Notes below files that contradict themselves. */
  notes: ReadonlyMap<string, ReactNode>
  /** Saves files too that exist already. */
  onKeepAll: (ids: string[]) => void
}

/** Shows where the files go: a few groups in full, and many as one closed line for each project and person. */
export function PileGroups({ groups, onKeepAll, ...common }: Props) {
  if (groups.length === 0) return null
  if (isAtOnePlace(common.form)) return <Cards groups={groups} heading="h2" {...common} />
  const isSkipped = ({ id }: Upload) => common.findings.get(id)?.isSkipped ?? false
  const skipped = groups.flatMap(({ uploads }) => uploads.filter(isSkipped).map(({ id }) => id))
  const isLarge = groups.length > MOST_GROUPS
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 pt-2 tabular-nums">
        <h2 className="text-section font-semibold">Klar</h2>
        <p className="min-w-0 text-muted">
          {readyText(groups, skipped.length)}
          {isLarge && ` ${seenByText(groups, common.isShared, isSkipped)}.`}
        </p>
        {skipped.length > 1 && (
          <button
            type="button"
            className="cursor-pointer text-meta underline underline-offset-2 pointer-coarse:min-h-11"
            onClick={() => onKeepAll(skipped)}
          >
            Behold begge for alle
          </button>
        )}
      </div>
      {isLarge ? (
        <Bundles bundles={bundlesOf(groups, isSkipped)} common={common} />
      ) : (
        <Cards groups={groups} heading="h3" {...common} />
      )}
    </>
  )
}

type Common = Omit<Props, 'groups' | 'onKeepAll'>

/** How many groups and lines are drawn at once. */
const AT_ONCE = { groups: 3, inner: 1, lines: 30 }

type CardsProps = Common & { groups: readonly Group[]; heading: 'h2' | 'h3' | 'h4'; isInner?: boolean }

function Cards({ groups, isShared, ...common }: CardsProps) {
  const drawn = useGrowing(groups.length, common.isInner ? AT_ONCE.inner : AT_ONCE.groups)
  return groups
    .slice(0, drawn)
    .map((group) => <UploadGroup key={group.key} group={group} isShared={isShared(group)} {...common} />)
}

function Bundles({ bundles, common }: { bundles: Bundle[]; common: Common }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback((key: string) => {
    setOpen((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  }, [])
  const drawn = useGrowing(bundles.length, AT_ONCE.lines)
  return (
    <section
      aria-label="Filer til upload"
      className="overflow-clip rounded-card border border-line bg-surface"
    >
      <ul className="divide-y divide-line">
        {bundles.slice(0, drawn).map((bundle) => (
          <Line
            key={bundle.key}
            bundle={bundle}
            common={common}
            isOpen={open.has(bundle.key)}
            onToggle={toggle}
          />
        ))}
      </ul>
    </section>
  )
}

type LineProps = { bundle: Bundle; common: Common; isOpen: boolean; onToggle: (key: string) => void }

/** A closed line is drawn again only if its counts change: there may be hundreds. */
const Line = memo(
  function Line({ bundle, common, isOpen, onToggle }: LineProps) {
    return (
      <Fold
        heading="h3"
        title={<BundleTitle bundle={bundle} />}
        facts={<BundleFacts bundle={bundle} />}
        isOpen={isOpen}
        onToggle={() => onToggle(bundle.key)}
      >
        {() => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3 bg-sunken p-3">
            <Cards groups={bundle.groups} heading="h4" isInner {...common} />
          </div>
        )}
      </Fold>
    )
  },
  (a, b) => !a.isOpen && !b.isOpen && summaryOf(a.bundle) === summaryOf(b.bundle),
)

const summaryOf = ({ key, groups, files, bytes, skipped }: Bundle) =>
  [
    key,
    files,
    bytes,
    skipped,
    ...groups.map(({ target, uploads }) => `${target.folder?.name} ${uploads.length} ${uploads[0]!.name}`),
  ].join('\n')

function BundleTitle({ bundle: { groups } }: { bundle: Bundle }) {
  const { project, user } = groups[0]!.target
  const folders = groups.map(({ target, uploads }) => `${target.folder?.name} ${uploads.length}`)
  // A person's only file says more than a count.
  const [only] = groups.flatMap(({ uploads }) => uploads)
  const isOnly = user && groups.length === 1 && groups[0]!.uploads.length === 1
  return (
    <>
      <span className="font-medium">{project ? `${project.number} ${project.name}` : user?.name}</span>{' '}
      <span className={`text-meta text-muted ${project ? 'max-sm:hidden' : ''}`}>
        {project ? folders.join(', ') : isOnly ? only!.name : ''}
      </span>
    </>
  )
}

function BundleFacts({ bundle: { files, bytes, skipped } }: { bundle: Bundle }) {
  return (
    <>
      {skipped > 0 && <span>{formatCount(skipped)} springes over</span>}
      <span>{countFiles(files)}</span>
      <span className="max-sm:hidden">{formatBytes(bytes)}</span>
    </>
  )
}
