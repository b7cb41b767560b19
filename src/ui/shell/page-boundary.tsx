import { Component, type ReactNode } from 'react'
import { urls } from '../../urls.ts'
import { Button } from '../basic/button.tsx'
import { useFrame } from '../basic/frame.ts'
import { LinkButton } from '../basic/link-button.tsx'
import { reportFault } from '../overlay/report-fault.ts'
import { Shell } from './shell.tsx'

const TITLE = 'Noget gik galt'

type Props = { children: ReactNode; instead: ReactNode }
type State = { isBroken: boolean }

/** Shows a fallback in place of a component that broke, and reports the error to the server. */
class Boundary extends Component<Props, State> {
  override state: State = { isBroken: false }

  static getDerivedStateFromError(): State {
    return { isBroken: true }
  }

  override componentDidCatch(error: unknown): void {
    reportFault(error)
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.instead : this.props.children
  }
}

/** Wraps every page. The menu stays, unless it is what broke. */
export function PageBoundary({ children }: { children: ReactNode }) {
  const { user } = useFrame()
  const alone = (
    <main className="mx-auto grid max-w-[640px] gap-3 px-4 py-12">
      <h1 className="text-title font-semibold">{TITLE}</h1>
      <Words />
    </main>
  )
  const inShell = (
    <Boundary instead={alone}>
      <Shell title={TITLE}>
        <div className="grid max-w-[640px] gap-3 rounded-card border border-line bg-surface p-6">
          <Words />
        </div>
      </Shell>
    </Boundary>
  )
  return <Boundary instead={user ? inShell : alone}>{children}</Boundary>
}

function Words() {
  return (
    <div role="alert" className="grid gap-3">
      <p>Fejlen er vores. Det, du har gemt, er i behold.</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button type="button" onClick={() => location.reload()}>
          Prøv igen
        </Button>
        <LinkButton kind="secondary" href={urls.start}>
          Til forsiden
        </LinkButton>
      </div>
    </div>
  )
}
