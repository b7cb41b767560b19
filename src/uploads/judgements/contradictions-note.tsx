import { formatCount } from '../../base/danish/counts.ts'
import { focusNextOpen, focusSoon } from '../pile/focus-after-removal.ts'
import { contradictionText, type Contradiction } from '../papers/judgement.ts'
import type { Upload } from '../transport/upload.ts'
import { othersLike, seenKey, type ProposedMove } from '../pile/judgements.ts'
import { OwnersNote } from './owners-note.tsx'
import type { PilePapers } from './use-judgements.ts'

type Props = {
  upload: Pick<Upload, 'id' | 'name' | 'hashName'>
  papers: PilePapers
  /** Where its paper leads. */
  move: ProposedMove | undefined
  onMove: (moved: readonly ProposedMove[]) => void
  /** Whether an answer takes the file away from those to look at. Otherwise it stays, and can be given to others like it. */
  isSorted: boolean
}

/** Tells what a paper says against its name or place. Each must be seen before the form is saved. */
export function ContradictionsNote({ upload, papers, move, onMove, isSorted }: Props) {
  const { id, name } = upload
  const { contradictions, owners } = papers.judgements.get(id)!
  const notes = contradictions.map((each) => {
    const text = contradictionText(each)
    const isSeen = papers.seen.has(seenKey(id, each))
    return (
      <span
        key={text}
        data-open={(!isSeen && each.kind !== 'unreadable') || undefined}
        className="flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-warn"
      >
        {text}
        {move && 'instead' in each && each.instead === move.number && (
          <button
            type="button"
            aria-label={`${insteadText(move, each)}. ${name}`}
            onClick={() => onMove([move])}
            className={`${BUTTON} font-semibold`}
          >
            {insteadText(move, each)}
          </button>
        )}
        <button
          type="button"
          aria-pressed={isSeen}
          aria-label={`Det er i orden. ${text} ${name}`}
          onClick={() => {
            papers.see(id, each, !isSeen)
            if (isSorted && each.kind !== 'unreadable') focusNextOpen(id)
          }}
          className={`${BUTTON} aria-pressed:bg-surface aria-pressed:font-semibold`}
        >
          {isSeen ? 'Set: i orden' : 'Det er i orden'}
        </button>
        {isSeen && !isSorted && <OthersButton id={id} contradiction={each} papers={papers} />}
      </span>
    )
  })
  return (
    <>
      {notes}
      {owners && <OwnersNote owners={owners} upload={upload} />}
    </>
  )
}

const insteadText = ({ number }: ProposedMove, { kind }: Contradiction) =>
  `Læg ${kind === 'person' ? 'hos' : 'i'} ${number} i stedet`

type OthersProps = Pick<Props, 'papers'> & { id: string; contradiction: Contradiction }

/** Gives the same answer to all other files with the same kind of contradiction. */
function OthersButton({ id, contradiction, papers }: OthersProps) {
  const others = othersLike(papers.judgements, papers.seen, { id, kind: contradiction.kind }).length
  if (others === 0) return null
  return (
    <button
      type="button"
      className="cursor-pointer text-ink underline underline-offset-2 pointer-coarse:min-h-11"
      onClick={() => {
        papers.seeOthers(id, contradiction)
        focusSoon(`[data-upload="${id}"] [aria-pressed=true]`)
      }}
    >
      Gør det samme for {others === 1 ? 'den anden' : `de andre ${formatCount(others)}`}
    </button>
  )
}

const BUTTON =
  'min-h-7 cursor-pointer rounded-control border border-line-strong px-2 whitespace-nowrap text-ink pointer-coarse:min-h-11'
