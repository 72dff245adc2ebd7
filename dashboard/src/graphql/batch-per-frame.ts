/** Items that are kept for a frame; with more, they are applied at once. */
const MAX_KEPT = 10_000

/** A page that is not looked at has no frames; what comes is applied this often. */
const HIDDEN_MS = 1_000

/**
 * Collects items and applies them together before the next paint, so that a storm of events costs one update a frame. `drop`
 * forgets what waits.
 */
export function batchPerFrame<T>(apply: (items: T[]) => void): { add(item: T): void; drop(): void } {
  let items: T[] = []
  let cancel: (() => void) | undefined

  function flush(): void {
    cancel?.()
    cancel = undefined
    const all = items
    items = []
    if (all.length > 0) apply(all)
  }

  return {
    add(item) {
      if (items.push(item) >= MAX_KEPT) flush()
      else cancel ??= document.hidden ? inTime(flush) : inFrame(flush)
    },
    drop() {
      cancel?.()
      cancel = undefined
      items = []
    },
  }
}

function inFrame(flush: () => void): () => void {
  const frame = requestAnimationFrame(flush)
  // The page may be hidden before the frame comes.
  const cancelLate = inTime(flush)
  return () => {
    cancelAnimationFrame(frame)
    cancelLate()
  }
}

function inTime(flush: () => void): () => void {
  const timer = setTimeout(flush, HIDDEN_MS)
  return () => clearTimeout(timer)
}
