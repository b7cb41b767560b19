import { useId, type ReactNode } from 'react'

type Props = {
  title: string
  /** A link to the rest. */
  more?: { href: string; text: string } | null
  children: ReactNode
}

export function StartSection({ title, more, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line px-4 py-3">
        <h2 id={id} className="text-section font-semibold">
          {title}
        </h2>
        {more && (
          <a
            href={more.href}
            className="inline-flex items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
          >
            {more.text}
          </a>
        )}
      </div>
      {children}
    </section>
  )
}
