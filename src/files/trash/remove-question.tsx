import type { ReactNode } from 'react'
import { DeleteQuestion } from './delete-question.tsx'

type Props = {
  /** How many files the question is about. */
  count: number
  /** Returns why it was refused, or null. */
  onRemove: () => Promise<string | null>
  children?: ReactNode
}

/** Asks before files are removed for good. Does not focus its button: Enter alone must not do what cannot be undone. */
export function RemoveQuestion({ count, onRemove, children }: Props) {
  return (
    <DeleteQuestion count={count} id="remove-fault" submit="Slet for altid" onDelete={onRemove}>
      {children}
      <p className="text-muted">{count === 1 ? 'Filen' : 'Filerne'} kan ikke gendannes bagefter.</p>
    </DeleteQuestion>
  )
}
