import { CircleQuestionMark, Menu } from 'lucide-react'
import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx'
import { DemoBanner } from './demo-banner.tsx'
import { DropHint } from '../drag/drop-hint.tsx'
import { dropTarget, type DropTo } from '../drag/file-drops.ts'
import { FrameWarning } from './frame-warning.tsx'
import { useFrame } from '../basic/frame.ts'
import { useHeaderPart } from './header-part.ts'
import { NewTabNote } from '../basic/new-tab.tsx'
import { PrintHead } from './late-office-sign.tsx'
import { isHiddenAtFirst, isSidebarVisible, onSidebar, showSidebar } from './sidebar-flag.ts'
import { Sidebar, SIDEBAR_ID } from './sidebar.tsx'
import { ViewBanner } from './view-banner.tsx'
import { PageTabs } from './page-tabs.tsx'
import { Toasts } from '../overlay/toast.tsx'
import { Tooltip } from '../overlay/tooltip.tsx'
import { isWideScreen, useWideScreen } from './use-wide-screen.ts'
import { makeLateDrawn } from '../overlay/late-drawn.tsx'
import { may } from '../../rights.ts'
import { urls } from '../../urls.ts'

const UserMenu = makeLateDrawn(() => import('./user-menu.tsx').then((file) => file.UserMenu))

const UPLOAD: DropTo = { address: urls.upload, name: 'Upload' }
const NO_CRUMBS: Crumb[] = []
const TOGGLE = 'Vis eller skjul menu'
const TOGGLE_LOOK =
  'grid size-9 shrink-0 cursor-pointer place-items-center rounded-control text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11'

type Props = {
  title: string
  /** A line above the title: the page's context, or the day. */
  above?: ReactNode
  aboveHref?: string
  crumbs?: Crumb[]
  actions?: ReactNode
  /** The form for files dropped anywhere on the page, if it is not the one that takes all; null if the page has its own place. */
  dropTo?: DropTo | null
  /** Uses the whole width, for tables with many columns. */
  isWide?: boolean
  children: ReactNode
}

/** The frame of every page behind sign-in. */
export function Shell({
  title,
  above,
  aboveHref,
  crumbs = NO_CRUMBS,
  actions,
  dropTo: ownDrop,
  isWide: isWidePage = false,
  children,
}: Props) {
  const { narrow: narrowAtFirst, help, user } = useFrame()
  const [narrow, setNarrow] = useState(narrowAtFirst)
  const isWide = useWideScreen()
  const headerPart = useHeaderPart()
  const dropTo = ownDrop === undefined && may(user?.role ?? null, 'changeFiles') ? UPLOAD : ownDrop
  const isDrawerOpen = useSyncExternalStore(onSidebar, isSidebarVisible, isHiddenAtFirst) && !isWide

  function toggle(): void {
    if (isWideScreen()) {
      setNarrow(!narrow)
      document.cookie = `sidebar=${narrow ? 'wide' : 'narrow'}; path=/; max-age=31536000; samesite=lax`
    } else showSidebar(!isSidebarVisible())
  }

  return (
    <div className="flex min-h-dvh flex-col" {...dropTarget(dropTo ?? null)}>
      <a
        href="#indhold"
        className="sr-only z-50 rounded-control bg-accent text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:px-4 focus:py-2"
      >
        Spring til indhold
      </a>
      <ViewBanner />
      <DemoBanner />
      <FrameWarning />
      <div className="flex flex-1">
        <Sidebar narrow={narrow} />
        {/* An open drawer covers the rest, which is inert meanwhile. */}
        <div inert={isDrawerOpen} className="flex min-w-0 flex-1 flex-col">
          <header className="flex h-14 print:hidden items-center gap-3 border-b border-line bg-surface px-4">
            <button
              type="button"
              aria-label={TOGGLE}
              aria-controls={SIDEBAR_ID}
              aria-expanded={isWide ? !narrow : isDrawerOpen}
              onClick={toggle}
              className={`${TOGGLE_LOOK} noscript:hidden`}
            >
              <Menu size={20} strokeWidth={1.75} aria-hidden="true" />
            </button>
            <noscript>
              <a href={`#${SIDEBAR_ID}`} aria-label={TOGGLE} className={`${TOGGLE_LOOK} lg:hidden`}>
                <Menu size={20} strokeWidth={1.75} aria-hidden="true" />
              </a>
            </noscript>
            <Breadcrumbs crumbs={crumbs} title={title} />
            <div className="ml-auto flex shrink-0 items-center gap-2">
              {headerPart}
              <a href={help} aria-label="Hjælp til denne side" data-tooltip="" className="icon-button">
                <CircleQuestionMark size={20} strokeWidth={1.75} aria-hidden="true" />
              </a>
              <UserMenu />
            </div>
          </header>
          <main
            id="indhold"
            tabIndex={-1}
            className={`mx-auto w-full flex-1 px-4 py-6 outline-none sm:px-6 sm:py-8 print:p-0 ${isWidePage ? 'wide-page' : 'max-w-[1120px]'}`}
          >
            <PrintHead />
            <PageTabs />
            <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
              <div className="min-w-0">
                {above && (
                  <p className="text-muted wrap-anywhere">
                    {aboveHref ? (
                      <a href={aboveHref} className="underline-offset-2 hover:text-ink hover:underline">
                        {above}
                      </a>
                    ) : (
                      above
                    )}
                  </p>
                )}
                <h1 className="text-title font-semibold wrap-anywhere">{title}</h1>
              </div>
              {actions}
            </div>
            {children}
          </main>
        </div>
      </div>
      <NewTabNote />
      <Toasts isRaised={isWidePage} />
      <Tooltip />
      <DropHint />
    </div>
  )
}
