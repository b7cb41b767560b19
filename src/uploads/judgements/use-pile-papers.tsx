import { useMemo, type ReactNode } from 'react'
import type { FormState, Tell } from '../pile/form-state.ts'
import type { Group, Pile, UploadForm } from '../pile/pile.ts'
import { isRepairable } from '../pile/repair.ts'
import { ContradictionsNote } from './contradictions-note.tsx'
import { findMoves, withGuesses, type ProposedMove } from '../pile/judgements.ts'
import { useJudgements, type PilePapers } from './use-judgements.ts'

/** A sorted pile with what its papers say. */
export function usePilePapers(sorted: Pile, isOn: boolean, state: FormState, tell: Tell) {
  const papers = useJudgements(sorted, isOn, state, tell)
  const { judgements } = papers
  const pile: Pile = useMemo(
    () => ({ ...sorted, ignored: withGuesses(sorted.ignored, judgements) }),
    [sorted, judgements],
  )
  return {
    pile,
    papers,
    /** Notes below files that contradict themselves. Files can be moved to where their papers lead. */
    notesFor: (form: UploadForm, onMove: (moved: readonly ProposedMove[]) => void) =>
      notesOf(pile.groups, papers, findMoves(form, pile.groups, judgements, papers.seen), onMove),
    /** Files without a place, whose papers may tell one. */
    readable: pile.ignored.flatMap(({ upload, fault }) => (isOn && isRepairable(fault) ? upload.id : [])),
  }
}

function notesOf(
  groups: readonly Group[],
  papers: PilePapers,
  moves: readonly ProposedMove[],
  onMove: (moved: readonly ProposedMove[]) => void,
): ReadonlyMap<string, ReactNode> {
  return new Map(
    groups.flatMap(({ uploads }) =>
      uploads.flatMap((upload) =>
        papers.judgements.get(upload.id)?.contradictions.length
          ? [
              [
                upload.id,
                <ContradictionsNote key={upload.id} {...{ upload, papers, moves, onMove }} />,
              ] as const,
            ]
          : [],
      ),
    ),
  )
}
