import { StrictMode, useEffect, type ComponentType, type ReactNode } from 'react'
import { pages, type Envelope } from './pages.ts'
import { FrameProvider } from './ui/basic/frame.ts'
import { LateModals } from './ui/overlay/late-modals.tsx'
import { PageBoundary } from './ui/shell/page-boundary.tsx'

/** The same tree on the server and in the browser. */
export async function pageTree({ name, props, frame }: Envelope): Promise<ReactNode> {
  const Page = (await pages[name]()) as ComponentType<object>
  return (
    <StrictMode>
      <FrameProvider value={frame}>
        <PageBoundary>
          <Page {...(props as object)} />
        </PageBoundary>
        <LateModals />
        <Hydrated />
      </FrameProvider>
    </StrictMode>
  )
}

/** Marks the page as interactive, for tests. */
function Hydrated() {
  useEffect(() => {
    document.documentElement.dataset.hydrated = ''
  }, [])
  return null
}
