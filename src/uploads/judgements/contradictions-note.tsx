import { formatCount } from '../../base/counts.ts'
import { focusSoon } from '../pile/focus-after-removal.ts'
import { contradictionText } from '../papers/judgement.ts'
import type { Upload } from '../transport/upload.ts'
import { othersLike, seenKey, type ProposedMove } from '../pile/judgements.ts'
import { OwnersNote } from './owners-note.tsx'
import type { PilePapers } from './use-judgements.ts'

type Props = {
  upload: Pick<Upload, 'id' | 'name' | 'hashName'>
  papers: PilePapers
  /** All files of the pile whose papers lead elsewhere. */
  moves: readonly ProposedMove[]
  onMove: (moved: readonly ProposedMove[]) => void
}

/** Tells what a paper says against its name or place. Each must be seen before the form is saved. */
export function ContradictionsNote({ upload, papers, moves, onMove }: Props) {
  const { id, name } = upload
  const { contradictions, owners } = papers.judgements.get(id)!
  const move = moves.find((each) => each.upload.id === id)
  const notes = contradictions.map((each) => {
    const text = contradictionText(each)
    const isSeen = papers.seen.has(seenKey(id, each))
    const others = isSeen ? othersLike(papers.judgements, papers.seen, { id, kind: each.kind }).length : 0
    return (
      <span
        key={text}
        data-open={(!isSeen && each.kind !== 'unreadable') || undefined}
        className="flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-warn"
      >
        {text}
        {move && 'instead' in each && each.instead === move.number && (
          <InsteadButtons {...{ move, moves, onMove }} isPerson={each.kind === 'person'} />
        )}
        <button
          type="button"
          aria-pressed={isSeen}
          aria-label={`Det er i orden. ${text} ${name}`}
          onClick={() => papers.see(id, each, !isSeen)}
          className={`${BUTTON} aria-pressed:bg-surface aria-pressed:font-semibold`}
        >
          {isSeen ? 'Set: i orden' : 'Det er i orden'}
        </button>
        {others > 0 && (
          <button
            type="button"
            className="cursor-pointer text-ink underline underline-offset-2 pointer-coarse:min-h-11"
            onClick={() => {
              papers.seeOthers(id, each)
              focusSoon(`[data-upload="${id}"] [aria-pressed=true]`)
            }}
          >
            Gør det samme for {others === 1 ? 'den anden' : `de andre ${formatCount(others)}`}
          </button>
        )}
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

type InsteadProps = Pick<Props, 'moves' | 'onMove'> & { move: ProposedMove; isPerson: boolean }

/** Puts a file where its paper leads, or all files with such an offer. */
function InsteadButtons({ move, moves, onMove, isPerson }: InsteadProps) {
  const text = `Læg ${isPerson ? 'hos' : 'i'} ${move.number} i stedet`
  const all = formatCount(moves.length)
  return (
    <>
      <button
        type="button"
        aria-label={`${text}. ${move.upload.name}`}
        onClick={() => onMove([move])}
        className={`${BUTTON} font-semibold`}
      >
        {text}
      </button>
      {moves.length > 1 && (
        <button
          type="button"
          aria-label={`For alle ${all}: Læg filerne der, hvor deres papirer hører til`}
          onClick={() => onMove(moves)}
          className={BUTTON}
        >
          For alle {all}
        </button>
      )}
    </>
  )
}

const BUTTON =
  'min-h-7 cursor-pointer rounded-control border border-line-strong px-2 whitespace-nowrap text-ink pointer-coarse:min-h-11'
