import type { ReadonlySignal } from '@preact/signals'
import type { ConnectionState } from './connection.ts'
import type { CurrentSpace } from './space-context.ts'

/** Who looks at the page: not known yet, nobody, not to be asked now, or a person with their spaces. */
export type SessionState =
  | { kind: 'loading' }
  | { kind: 'signed-out' }
  | { kind: 'failed'; retry: () => void }
  | {
      kind: 'signed-in'
      viewer: { id: string; name: string; email: string }
      spaces: readonly CurrentSpace[]
    }

/** What the frame of the pages needs to know and do. */
export type AppSession = {
  state: ReadonlySignal<SessionState>
  connection: ReadonlySignal<ConnectionState>
  signOut: () => void
}
