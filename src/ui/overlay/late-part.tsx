import { Component, type ReactNode } from 'react'
import { isMissingPart, meetMissingPart } from './missing-part.ts'

type Props = { children: ReactNode }
type State = { error: unknown }

/**
 * Around a field with a part that is fetched when it is needed. If that cannot be fetched, the field is drawn anew, closed, and
 * the rest of the page keeps what was typed. Any other fault goes on to the page's own boundary.
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
