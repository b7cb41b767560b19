import type { ReactNode } from 'react'
import { useStayOnPage } from '../form/use-stay-on-page.ts'
import { useFrame } from '../basic/frame.ts'
import { DemoBanner } from './demo-banner.tsx'
import { OfficeContact, OfficeSign } from './office-sign.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { ViewBanner } from './view-banner.tsx'

type Props = { children: ReactNode; width?: string; helpText?: string }

/** The frame of a page without a menu: the office and a card. */
export function PageFrame({ children, width = 'max-w-[560px]', helpText = 'Hjælp til denne side' }: Props) {
  const { help } = useFrame()
  useStayOnPage()
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
      <footer className="flex flex-wrap items-center justify-center gap-x-6 gap-y-2 px-4 pb-6 print:hidden">
        <a
          href={help}
          className="inline-flex min-h-9 items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
        >
          {helpText}
        </a>
        <ThemeChoice />
      </footer>
    </div>
  )
}
