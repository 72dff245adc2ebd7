import { signal } from '@preact/signals'

/** How the page is connected. */
export interface Connection {
  readonly state: 'connecting' | 'live' | 'reconnecting' | 'offline'
  /** Epoch milliseconds. */
  readonly since: number
}

/** Whether what is shown is live; `offline` when the browser has no network at all. */
export const connection = signal<Connection>({ state: 'connecting', since: Date.now() })

/** When the product was last heard, epoch milliseconds: how old what is shown may be. 0: never. */
export const lastHeardAt = signal(0)

/** Changes the state; keeps since when a lost connection is lost. */
export function setConnection(state: Connection['state']): void {
  const isLost = (one: Connection['state']) => one === 'reconnecting' || one === 'offline'
  const { state: before, since } = connection.value
  if (state === before) return
  connection.value = { state, since: isLost(state) && isLost(before) ? since : Date.now() }
}
