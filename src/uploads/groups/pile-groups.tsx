import { memo, useCallback, useState, type ReactNode } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { formatCount } from '../../base/counts.ts'
import { countFiles } from '../../projects/folder.ts'
import type { Findings } from '../pile/duplicate.ts'
import type { Upload } from '../transport/upload.ts'
import type { Widget } from '../transport/widget.ts'
import { bundlesOf, MOST_GROUPS, onlyNeedingAttention, seenByText, type Bundle } from './bundles.ts'
import { Fold } from './fold.tsx'
import type { Group, UploadForm } from '../pile/pile.ts'
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
  /** Whether only files are shown that somebody should look at. */
  isLooking: boolean
  onLook: (isLooking: boolean) => void
}

/** Shows where the files go: a few groups in full, and many as one closed line for each project and person. */
export function PileGroups({ groups, isLooking, onLook, ...common }: Props) {
  const isToSee = ({ id, state }: Upload) =>
    state === 'failed' || common.findings.has(id) || common.notes.has(id)
  if (groups.length <= MOST_GROUPS) return <Cards groups={groups} {...common} />
  const toSee = onlyNeedingAttention(groups, isToSee)
  const count = toSee.reduce((sum, { uploads }) => sum + uploads.length, 0)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60 text-muted tabular-nums">
          {seenByText(groups, common.isShared)}
        </p>
        {(count > 0 || isLooking) && (
          <label className="flex min-h-9 cursor-pointer items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              checked={isLooking}
              onChange={({ currentTarget: { checked } }) => onLook(checked)}
              className="size-4 accent-accent"
            />
            Vis kun dem, der skal ses på ({formatCount(count)})
          </label>
        )}
      </div>
      {isLooking && count === 0 && <p className="text-muted">Der er ingen filer, der skal ses på.</p>}
      {isLooking ? (
        <Cards groups={toSee} {...common} />
      ) : (
        <Bundles bundles={bundlesOf(groups, isToSee)} common={common} />
      )}
    </>
  )
}

type Common = Omit<Props, 'groups' | 'isLooking' | 'onLook'>

/** How many groups and lines are drawn at once. */
const AT_ONCE = { groups: 3, inner: 1, lines: 30 }

function Cards({ groups, isShared, ...common }: Common & { groups: readonly Group[]; isInner?: boolean }) {
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
        heading="h2"
        title={<BundleTitle bundle={bundle} />}
        facts={<BundleFacts bundle={bundle} />}
        isOpen={isOpen}
        onToggle={() => onToggle(bundle.key)}
      >
        {() => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3 bg-sunken p-3">
            <Cards groups={bundle.groups} isInner {...common} />
          </div>
        )}
      </Fold>
    )
  },
  (a, b) => !a.isOpen && !b.isOpen && summaryOf(a.bundle) === summaryOf(b.bundle),
)

const summaryOf = ({ key, groups, files, bytes, toSee }: Bundle) =>
  [
    key,
    files,
    bytes,
    toSee,
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

function BundleFacts({ bundle: { files, bytes, toSee } }: { bundle: Bundle }) {
  return (
    <>
      {toSee > 0 && <span className="text-warn">{formatCount(toSee)} skal ses på</span>}
      <span>{countFiles(files)}</span>
      <span className="max-sm:hidden">{formatBytes(bytes)}</span>
    </>
  )
}
