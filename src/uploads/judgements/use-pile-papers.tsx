import { useMemo, type ReactNode } from 'react'
import type { FormState, Tell } from '../pile/form-state.ts'
import { isAtOnePlace, type Group, type Pile, type UploadForm } from '../pile/pile.ts'
import { isRepairable } from '../pile/repair.ts'
import { ContradictionsNote } from './contradictions-note.tsx'
import { findMoves, withGuesses, type ProposedMove } from '../pile/judgements.ts'
import { useJudgements, type PilePapers } from './use-judgements.ts'

/** A sorted pile with what its papers say. */
export function usePilePapers(form: UploadForm, sorted: Pile, state: FormState, tell: Tell) {
  const isOn = form.kind !== 'simple'
  const papers = useJudgements(sorted, isOn, state, tell)
  const { judgements } = papers
  const pile: Pile = useMemo(
    () => ({ ...sorted, ignored: withGuesses(sorted.ignored, judgements) }),
    [sorted, judgements],
  )
  const moves = findMoves(form, pile.groups, judgements, papers.seen)
  return {
    pile,
    papers,
    /** Files with a place whose papers lead elsewhere. */
    moves,
    /** Notes below files that contradict themselves. Files can be moved to where their papers lead. */
    notesFor: (onMove: (moved: readonly ProposedMove[]) => void) =>
      notesOf(form, pile.groups, papers, moves, onMove),
    /** Files without a place that are sent all the same: their papers, or somebody, may tell one. */
    staying: [
      ...pile.ignored.flatMap(({ upload, fault }) => (isOn && isRepairable(fault) ? upload.id : [])),
      ...pile.undecided.map(({ id }) => id),
    ],
  }
}

function notesOf(
  form: UploadForm,
  groups: readonly Group[],
  papers: PilePapers,
  moves: readonly ProposedMove[],
  onMove: (moved: readonly ProposedMove[]) => void,
): ReadonlyMap<string, ReactNode> {
  const moveOf = new Map(moves.map((move) => [move.upload.id, move]))
  const isSorted = !isAtOnePlace(form)
  const noteOf = (upload: Group['uploads'][number]) => (
    <ContradictionsNote
      key={upload.id}
      {...{ upload, papers, onMove, isSorted }}
      move={moveOf.get(upload.id)}
    />
  )
  return new Map(
    groups.flatMap(({ uploads }) =>
      uploads.flatMap((upload) =>
        papers.judgements.get(upload.id)?.contradictions.length ? [[upload.id, noteOf(upload)] as const] : [],
      ),
    ),
  )
}
