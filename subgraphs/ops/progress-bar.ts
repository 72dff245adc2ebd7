/** Tells how far something is, on standard error. */
export interface ProgressBar {
  /** `done` of the total, and where that is. */
  update(done: number, place: string): void
  end(): void
}

const WIDTH = 30

/** How often a terminal, or a log, is told. */
const TERMINAL_INTERVAL_MS = 100
const LOG_INTERVAL_MS = 10_000

/** Creates a bar: a line that is rewritten on a terminal, a line now and then elsewhere. */
export function createProgressBar(
  { title, total }: { title: string; total: number },
  out: Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean } = process.stderr,
): ProgressBar {
  const intervalMs = out.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS
  const startedAt = performance.now()
  let toldAt = out.isTTY ? Number.NEGATIVE_INFINITY : startedAt
  let isLineOpen = false
  return {
    update(done, place) {
      const now = performance.now()
      if (now - toldAt < intervalMs && done < total) return
      toldAt = now
      const share = total > 0 ? done / total : 1
      const leftSeconds = share > 0 ? Math.round(((now - startedAt) / 1_000) * (1 / share - 1)) : 0
      const text = `${title} ${Math.floor(share * 100)} %  ${done} of ${total}  ${place}  ${leftSeconds} s left`
      if (out.isTTY) {
        const filled = Math.round(share * WIDTH)
        out.write(`\r\x1b[K[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${text}`)
        isLineOpen = true
      } else out.write(`${text}\n`)
    },
    end() {
      if (isLineOpen) out.write('\n')
      isLineOpen = false
    },
  }
}
