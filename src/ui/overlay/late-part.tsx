import { Component, type ReactNode } from 'react'
import { isMissingPart, meetMissingPart } from './missing-part.ts'

type Props = { children: ReactNode }
type State = { error: unknown }

/**
 * Wraps a field with a lazy part. If the part cannot be fetched, the field is drawn again, closed, and the rest of the page
 * keeps its typed texts. Other errors go on to the page's own boundary.
 */
export class LatePart extends Component<Props, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override componentDidCatch(error: unknown): void {
    if (isMissingPart(error)) meetMissingPart(error)
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error !== null && !isMissingPart(error)) throw error
    return this.props.children
  }
}
