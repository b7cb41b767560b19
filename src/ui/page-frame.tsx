import type { ReactNode } from 'react'
import { useFrame } from './frame.ts'

/** A page of its own, without navigation: the mark, a card, and in the demo a line that says so. */
export function PageFrame({ children }: { children: ReactNode }) {
  const { demo } = useFrame()
  return (
    <div className="flex min-h-dvh flex-col">
      {demo && (
        <aside aria-label="Demo" className="bg-warn-soft px-4 py-2 text-center text-warn">
          Dette er en demo. Alt, hvad du ændrer, forsvinder, når den stoppes.
        </aside>
      )}
      <main className="mx-auto flex w-full max-w-[560px] flex-1 flex-col justify-center px-4 py-12">
        <div className="mb-6 flex items-center gap-2">
          <Mark />
          <span className="text-section font-semibold">Ringbind</span>
        </div>
        <div className="rounded-card border border-line bg-surface p-6 sm:p-8">{children}</div>
      </main>
    </div>
  )
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect x="5" y="2" width="22" height="28" rx="4" className="fill-accent" />
      <rect x="15" y="8" width="8" height="6" rx="1.5" className="fill-on-accent" />
      <path
        d="M2.5 10h6M2.5 16h6M2.5 22h6"
        className="stroke-line-strong"
        strokeWidth="1.75"
        strokeLinecap="round"
      />
    </svg>
  )
}
