import { useMemo, type ReactNode } from 'react'
import type { Group, Pile, UploadForm } from '../pile/pile.ts'
import { isRepairable } from '../pile/repair.ts'
import { ContradictionsNote } from './contradictions-note.tsx'
import { insteadIn, withGuesses, type Instead } from './judged.ts'
import { useJudgements, type Judged } from './use-judgements.ts'

/** A sorted pile with what its papers say. */
export function useJudgedPile(sorted: Pile, isOn: boolean) {
  const judged = useJudgements(sorted, isOn)
  const { judgements } = judged
  const pile: Pile = useMemo(
    () => ({ ...sorted, ignored: withGuesses(sorted.ignored, judgements) }),
    [sorted, judgements],
  )
  return {
    pile,
    judged,
    /** What stands below files that contradict themselves. Files can be put where their papers lead. */
    notesFor: (form: UploadForm, onInstead: (moved: readonly Instead[]) => void) =>
      notesOf(pile.groups, judged, insteadIn(form, pile.groups, judgements, judged.seen), onInstead),
    /** Files without a place, whose papers may tell one. */
    readable: pile.ignored.flatMap(({ upload, fault }) => (isOn && isRepairable(fault) ? upload.id : [])),
  }
}

function notesOf(
  groups: readonly Group[],
  judged: Judged,
  moves: readonly Instead[],
  onInstead: (moved: readonly Instead[]) => void,
): ReadonlyMap<string, ReactNode> {
  return new Map(
    groups.flatMap(({ uploads }) =>
      uploads.flatMap((upload) =>
        judged.judgements.get(upload.id)?.contradictions.length
          ? [
              [
                upload.id,
                <ContradictionsNote key={upload.id} {...{ upload, judged, moves, onInstead }} />,
              ] as const,
            ]
          : [],
      ),
    ),
  )
}
