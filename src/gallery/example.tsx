import type { ReactNode } from 'react'

/** One section of the gallery. */
export function Example({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h2 className="mb-3 text-section font-semibold">{title}</h2>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </section>
  )
}
