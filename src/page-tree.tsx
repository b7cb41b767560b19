import { StrictMode, Suspense, useEffect, type ComponentType, type ReactNode } from 'react'
import { LateProve } from './accounts/proof/late-prove.tsx'
import { pages, type Envelope } from './pages.ts'
import { LateSearchField } from './search/late-search-field.tsx'
import { FrameProvider } from './ui/basic/frame.ts'
import { LateModals } from './ui/overlay/late-modals.tsx'
import { HeaderPartProvider } from './ui/shell/header-part.ts'
import { PageBoundary } from './ui/shell/page-boundary.tsx'

const SEARCH_FIELD = <LateSearchField />

/** The same tree on the server and in the browser. */
export async function pageTree({ name, props, frame }: Envelope): Promise<ReactNode> {
  const Page = (await pages[name]()) as ComponentType<object>
  return (
    <StrictMode>
      <FrameProvider value={frame}>
        <HeaderPartProvider value={SEARCH_FIELD}>
          <PageBoundary>
            {/* React takes over what stands in a Suspense bit by bit, and answers a press in between. */}
            <Suspense>
              <Page {...(props as object)} />
              <Hydrated />
            </Suspense>
          </PageBoundary>
        </HeaderPartProvider>
        <LateModals />
        <LateProve />
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
