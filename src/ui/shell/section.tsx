import type { ReactNode, Ref } from 'react'

type SectionProps = {
  title: ReactNode
  id?: string
  /** Given, the heading can take the focus. */
  headingRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** A box on a page, under its own heading. */
export function Section({ title, id, headingRef, children }: SectionProps) {
  return (
    <section id={id} className="rounded-card border border-line bg-surface p-4 sm:p-6">
      <h2
        ref={headingRef}
        tabIndex={headingRef ? -1 : undefined}
        className="mb-4 flex flex-wrap items-center gap-2 text-section font-semibold outline-none"
      >
        {title}
      </h2>
      {children}
    </section>
  )
}
