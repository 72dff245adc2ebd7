/** Something that wants to be called later. */
export interface WheelEntry {
  /** Called when due, `now` in ms of the wheel's clock; answers after how many ms to call again, or undefined for never. */
  onDue(now: number): number | undefined
}

/** One timer for very many deadlines, none of which needs to be exact. */
export interface TimerWheel {
  /** Calls the entry after about `delayMs` (one tick later at most); an entry waits once only, so this moves it. */
  schedule(entry: WheelEntry, delayMs: number): void
  cancel(entry: WheelEntry): void
  [Symbol.dispose](): void
}

/**
 * Creates a timer wheel that turns every `tickMs` (default 50 ms). Delays longer than a turn (`tickMs` × `slots`,
 * default 512) go around again. `now` is a clock of milliseconds that only goes forwards. Entries that want their deadline moved often should not reschedule but look at the
 * clock when they are called and answer what remains.
 */
export function createTimerWheel({
  now,
  tickMs = 50,
  slots = 512,
}: {
  now: () => number
  tickMs?: number
  slots?: number
}): TimerWheel {
  const wheel = Array.from({ length: slots }, () => new Map<WheelEntry, number>())
  const slotOf = new Map<WheelEntry, number>()
  let position = 0
  let turnedAt = now()

  function schedule(entry: WheelEntry, delayMs: number): void {
    cancel(entry)
    const ticks = Math.max(1, Math.ceil(delayMs / tickMs))
    const slot = (position + ticks) % slots
    wheel[slot]?.set(entry, Math.floor((ticks - 1) / slots))
    slotOf.set(entry, slot)
  }

  function cancel(entry: WheelEntry): void {
    const slot = slotOf.get(entry)
    if (slot === undefined) return
    wheel[slot]?.delete(entry)
    slotOf.delete(entry)
  }

  function turnOnce(at: number): void {
    position = (position + 1) % slots
    for (const [entry, rounds] of wheel[position] ?? []) {
      if (rounds > 0) {
        wheel[position]?.set(entry, rounds - 1)
        continue
      }
      cancel(entry)
      const again = entry.onDue(at)
      if (again !== undefined) schedule(entry, again)
    }
  }

  const interval = setInterval(() => {
    const at = now()
    // After a stall the wheel catches up, but no further than once around.
    const ticks = Math.min(slots, Math.max(1, Math.round((at - turnedAt) / tickMs)))
    turnedAt = at
    for (let i = 0; i < ticks; i++) turnOnce(at)
  }, tickMs)
  interval.unref()

  return {
    schedule,
    cancel,
    [Symbol.dispose]() {
      clearInterval(interval)
      for (const slot of wheel) slot.clear()
      slotOf.clear()
    },
  }
}
