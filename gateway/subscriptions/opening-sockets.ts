/** WebSockets that have not said yet who they are, by the address that they come from. */
export interface OpeningSockets {
  /** Whether an address may open one more. */
  hasRoom(address: string): boolean
  /** Counts one; the answer, to be called when it is known whose it is or when it is closed, takes it out. */
  add(address: string): () => void
}

/** Creates the count: `maxPerAddress` at once, so that one address cannot take all the sockets there are. */
export function createOpeningSockets(maxPerAddress: number): OpeningSockets {
  const counts = new Map<string, number>()
  return {
    hasRoom: address => (counts.get(address) ?? 0) < maxPerAddress,
    add(address) {
      counts.set(address, (counts.get(address) ?? 0) + 1)
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        const left = (counts.get(address) ?? 1) - 1
        if (left === 0) counts.delete(address)
        else counts.set(address, left)
      }
    },
  }
}
