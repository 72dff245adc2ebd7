import { Component, type ComponentChildren } from 'preact'
import { ErrorState } from '../ui/error-state.tsx'
import { messages } from './messages.ts'

/** Shows a page's failure in its place, so that the shell stays. `key` it by the path. */
export class PageBoundary extends Component<{ children: ComponentChildren }, { isFailed: boolean }> {
  override state = { isFailed: false }

  override componentDidCatch(error: unknown) {
    reportError(error)
    this.setState({ isFailed: true })
  }

  render() {
    if (!this.state.isFailed) return this.props.children
    return (
      <ErrorState
        title={messages.crashed}
        text={messages.crashedText}
        onRetry={() => this.setState({ isFailed: false })}
      />
    )
  }
}
