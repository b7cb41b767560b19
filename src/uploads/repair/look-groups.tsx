import { useState, type ReactNode } from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { countFiles } from '../../projects/folder.ts'
import { sharingText } from '../../projects/sharing.tsx'
import { MOST_GROUPS } from '../groups/bundles.ts'
import { Fold } from '../groups/fold.tsx'
import { hasThumbnail } from '../groups/thumbnail.tsx'
import { UploadRow, type RowActs } from '../groups/upload-row.tsx'
import { useGrowing } from '../groups/use-growing.ts'
import { isBlocking, isContradiction, lookText, type Look, type Looked } from '../pile/attention.ts'
import type { Findings } from '../pile/duplicate.ts'
import type { Group, Target } from '../pile/pile.ts'
import type { Widget } from '../transport/widget.ts'
import { IgnoredRow } from './ignored-row.tsx'
import { LookActs, type LookTools } from './look-acts.tsx'

type Props = LookTools & {
  looks: readonly Look[]
  /** How often saving has stopped because something needs an answer: what does is unfolded again. */
  asked: number
  findings: Findings
  acts: RowActs
  widget: Widget
  isShared: (group: Group) => boolean
  /** Notes below files that contradict themselves. */
  notes: ReadonlyMap<string, ReactNode>
  onRemove: (ids: string[]) => void
}

/** The files that somebody should look at, by reason, each with the act that answers for all of them. */
export function LookGroups({ asked, ...common }: Props) {
  const files = common.looks.reduce((sum, look) => sum + look.files.length, 0)
  if (files === 0) return null
  const waiting = common.looks
    .filter((look) => isBlocking(look, common.findings))
    .reduce((sum, look) => sum + look.files.length, 0)
  return (
    <section aria-labelledby="look" className="overflow-clip rounded-card border border-line bg-surface">
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line px-4 py-3">
        <h2 id="look" className="text-section font-semibold">
          Se på
        </h2>
        <p className="ml-auto text-meta text-muted tabular-nums">
          {countFiles(files)}
          {waiting > 0 && <span className="text-warn"> · {formatCount(waiting)} venter på svar</span>}
        </p>
      </header>
      <Lines key={asked} areFew={files <= MOST_GROUPS} wasAsked={asked > 0} {...common} />
    </section>
  )
}

type LinesProps = Omit<Props, 'asked'> & { areFew: boolean; wasAsked: boolean }

/** A line for each reason. Contradictions are open, since each of them should be read. */
function Lines({ looks, areFew, wasAsked, ...common }: LinesProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  return (
    <ul className="divide-y divide-line">
      {looks.map((look) => {
        const isWanted = isContradiction(look.why) || (wasAsked && isBlocking(look, common.findings))
        const isOpen = chosen.get(look.key) ?? (areFew || isWanted)
        return (
          <Fold
            key={look.key}
            heading="h3"
            title={lookText(look)}
            facts={countFiles(look.files.length)}
            isOpen={isOpen}
            onToggle={() => setChosen(new Map(chosen).set(look.key, !isOpen))}
            acts={<LookActs look={look} isOpen={isOpen} {...common} />}
          >
            {() => <LookRows files={look.files} {...common} />}
          </Fold>
        )
      })}
    </ul>
  )
}

/** How many rows are drawn at once. */
const AT_ONCE = 50

type RowsProps = Omit<LinesProps, 'looks' | 'areFew' | 'wasAsked'> & { files: readonly Looked[] }

function LookRows({ files, repairs, findings, acts, widget, isShared, notes, onRemove }: RowsProps) {
  const drawn = useGrowing(files.length, AT_ONCE)
  return (
    <ul className="divide-y divide-line">
      {files.slice(0, drawn).map((file) => {
        const { upload } = file
        if ('ignored' in file)
          return <IgnoredRow key={upload.id} ignored={file.ignored} repairs={repairs} onRemove={onRemove} />
        const finding = findings.get(upload.id)
        return (
          <UploadRow
            key={upload.id}
            upload={upload}
            warning={finding?.text ?? null}
            choice={finding?.choice}
            mayReplace={(finding?.replaces ?? null) !== null}
            thumbnail={hasThumbnail(upload.name, widget) ? widget.thumbnailSize : null}
            mayMisplace
            isAsked={notes.has(upload.id)}
            place={placeText(file.group.target, isShared(file.group))}
            note={notes.get(upload.id)}
            acts={acts}
          />
        )
      })}
    </ul>
  )
}

/** 'Budget · 1024 K/S Nordhavn Kontorhus · Kun kontoret', 'Hos Ida Granbo': where the file goes, and who sees it there. */
function placeText({ folder, project, user }: Target, isShared: boolean): string {
  if (!folder || !project) return user ? `Hos ${user.name}` : ''
  const seenBy = sharingText(isShared, project.has_auditor)
  return `${folder.name} · ${project.number} ${project.name} · ${seenBy}`
}
