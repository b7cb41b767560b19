import type { ReactNode } from 'react'
import { DemoBanner } from './demo-banner.tsx'
import { Mark } from '../basic/mark.tsx'
import { ThemeChoice } from './theme-choice.tsx'

/** The frame of a page without a menu: the mark and a card. */
export function PageFrame({ children, width = 'max-w-[560px]' }: { children: ReactNode; width?: string }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <DemoBanner />
      <main className={`mx-auto flex w-full flex-1 flex-col justify-center px-4 py-12 ${width}`}>
        <div className="mb-6 flex items-center gap-2">
          <Mark />
          <span className="text-section font-semibold">Ringbind</span>
        </div>
        <div className="rounded-card border border-line bg-surface p-6 sm:p-8">{children}</div>
      </main>
      <footer className="flex justify-center px-4 pb-6">
        <ThemeChoice />
      </footer>
    </div>
  )
}
