import type { ReactNode } from 'react'

/** Says that a list is empty, and what to do about it. */
export function EmptyState({ text, children }: { text: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-6 text-muted">
      {typeof text === 'string' ? <p>{text}</p> : text}
      {children}
    </div>
  )
}
