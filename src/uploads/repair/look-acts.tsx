import { formatCount } from '../../base/danish/counts.ts'
import { countFiles } from '../../projects/folder.ts'
import { Button } from '../../ui/basic/button.tsx'
import { showToast } from '../../ui/overlay/toasts.ts'
import type { PilePapers } from '../judgements/use-judgements.ts'
import { isContradiction, lookText, type Look } from '../pile/attention.ts'
import type { Choice, Findings } from '../pile/duplicate.ts'
import { focusSoon } from '../pile/focus-after-removal.ts'
import { openKeys, type ProposedMove } from '../pile/judgements.ts'
import type { Ignored } from '../pile/pile.ts'
import type { Repairs } from './use-repairs.ts'

export type LookTools = {
  findings: Findings
  papers: PilePapers
  /** The files whose papers lead elsewhere. */
  moves: readonly ProposedMove[]
  repairs: Pick<Repairs, 'repair' | 'accept' | 'acceptName' | 'acceptAll' | 'repairAll' | 'putInstead'>
  onChoose: (ids: string[], choice: Choice) => void
  onRetry: (ids: string[]) => void
}

type Props = LookTools & { look: Look; isOpen: boolean }

/** Acts on all files with one reason. A single file has its own buttons, unless it is folded away. */
export function LookActs({ look, isOpen, ...tools }: Props) {
  const { why, files } = look
  if (files.length === 1 && isOpen) return null
  if (isContradiction(why)) return <SeenActs look={look} {...tools} />
  if (why === 'same-name') return <ChoiceActs ids={files.map(({ upload }) => upload.id)} {...tools} />
  if (why === 'near' || why === 'nearly') return <RepairActs look={look} {...tools} />
  const retried = files.flatMap(({ upload }) => (upload.mayRetry ? upload.id : []))
  if (why !== 'failed' || retried.length === 0) return null
  return (
    <Button type="button" kind="secondary" onClick={() => tools.onRetry(retried)}>
      Prøv {files.length > 1 ? 'alle ' : ''}igen
    </Button>
  )
}

type Own = LookTools & { look: Look }

/** Contradictions: the files go where their papers lead, or it is in order as it is. */
function SeenActs({ look, papers, moves, repairs }: Own) {
  const ids = new Set(look.files.map(({ upload }) => upload.id))
  const moved = moves.filter(({ upload }) => ids.has(upload.id))

  function seeAll(): void {
    const keys = openKeys(papers.judgements, papers.seen, look.why, [...ids])
    papers.seeAll(keys, true)
    showToast(`${countFiles(look.files.length)} er set.`, {
      action: { text: 'Fortryd', run: () => papers.seeAll(keys, false) },
    })
    focusSoon('[data-open] button', '[data-act=save]')
  }

  return (
    <span className="flex flex-wrap gap-2">
      {moved.length > 0 && (
        <Button type="button" kind="secondary" onClick={() => repairs.putInstead(moved)}>
          {moved.length === 1
            ? 'Læg den, hvor den hører til'
            : `Læg ${formatCount(moved.length)}, hvor de hører til`}
        </Button>
      )}
      <Button
        type="button"
        kind="secondary"
        aria-label={`${seenText(look)}. ${lookText(look)}`}
        onClick={seeAll}
      >
        {seenText(look)}
      </Button>
    </span>
  )
}

const seenText = ({ files }: Look) =>
  files.length === 1 ? 'Den er i orden' : `Alle ${formatCount(files.length)} er i orden`

const CHOICES = [
  ['version', 'Ny version for alle'],
  ['keep', 'Behold begge for alle'],
  ['skip', 'Spring alle over'],
] as const

type ChoiceProps = Pick<LookTools, 'findings' | 'onChoose'> & { ids: string[] }

/** Files that exist already, or whose name another file has. */
export function ChoiceActs({ ids, findings, onChoose }: ChoiceProps) {
  const replacing = ids.filter((id) => (findings.get(id)?.replaces ?? null) !== null)
  return (
    <span className="flex flex-wrap gap-2">
      {CHOICES.map(([choice, text]) => {
        const theirs = choice === 'version' ? replacing : ids
        return (
          theirs.length > 0 && (
            <Button key={choice} type="button" kind="secondary" onClick={() => onChoose(theirs, choice)}>
              {text}
            </Button>
          )
        )
      })}
    </span>
  )
}

/** Names that nearly lead somewhere. */
function RepairActs({ look, repairs }: Own) {
  const ignored = look.files.flatMap((file): Ignored[] => ('ignored' in file ? [file.ignored] : []))
  const fault = ignored[0]?.fault
  const near = look.why === 'near' && fault?.kind === 'folder' ? fault.near : null
  return (
    <Button
      type="button"
      kind="secondary"
      onClick={() =>
        near === null ? repairs.acceptAll(ignored) : repairs.repairAll(ignored, { folder: near })
      }
    >
      {near === null ? 'Ret som foreslået' : `Ret til ${near}`}
      {ignored.length > 1 && ` (alle ${formatCount(ignored.length)})`}
    </Button>
  )
}
