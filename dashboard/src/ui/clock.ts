import { signal } from '@preact/signals'

const TICK_MS = 1_000

let timer: ReturnType<typeof setInterval> | undefined

/** The present (ms since 1970), once a second for the whole page, and only while something reads it. */
export const now = signal(Date.now(), {
  watched() {
    this.value = Date.now()
    timer = setInterval(() => {
      this.value = Date.now()
    }, TICK_MS)
  },
  unwatched() {
    clearInterval(timer)
  },
})
