import type { ReactNode } from 'react'
import { useKeptPage } from '../drag/use-kept-page.ts'
import { DemoBanner } from './demo-banner.tsx'
import { OfficeContact, OfficeSign } from './office-sign.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { ViewBanner } from './view-banner.tsx'

/** The frame of a page without a menu: the office and a card. */
export function PageFrame({ children, width = 'max-w-[560px]' }: { children: ReactNode; width?: string }) {
  useKeptPage()
  return (
    <div className="flex min-h-dvh flex-col">
      <ViewBanner />
      <DemoBanner />
      <main className={`mx-auto flex w-full flex-1 flex-col justify-center px-4 py-12 ${width}`}>
        <div className="mb-6">
          <OfficeSign logoHeight={48} />
        </div>
        <div className="rounded-card border border-line bg-surface p-6 sm:p-8">{children}</div>
        <div className="mt-6">
          <OfficeContact />
        </div>
      </main>
      <footer className="flex justify-center px-4 pb-6">
        <ThemeChoice />
      </footer>
    </div>
  )
}
