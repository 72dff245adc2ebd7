import type { WriteStream } from 'node:tty'

/** Shows how far something is: a bar that moves on a terminal, a line each tenth elsewhere. */
export interface ProgressBar {
  update(done: number): void
}

const WIDTH = 30

/** Creates the bar of a task of `total` steps on standard error. */
export function createProgressBar(
  what: string,
  total: number,
  out: WriteStream | NodeJS.WriteStream = process.stderr,
): ProgressBar {
  const startedAt = Date.now()
  let shownTenth = -1
  let shownAt = 0
  return {
    update(done) {
      const share = total === 0 ? 1 : Math.min(1, done / total)
      const seconds = (Date.now() - startedAt) / 1_000
      const rate = seconds > 0 ? Math.round(done / seconds) : 0
      const text = `${what} ${'█'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '·')} ${String(Math.floor(share * 100)).padStart(3)} %  ${done} of ${total}, ${rate}/s, ${seconds.toFixed(0)} s`
      if (out.isTTY) {
        if (Date.now() - shownAt < 100 && done < total) return
        shownAt = Date.now()
        out.write(`\r${text}${done >= total ? '\n' : ''}`)
        return
      }
      const tenth = Math.floor(share * 10)
      if (tenth === shownTenth) return
      shownTenth = tenth
      out.write(`${text}\n`)
    },
  }
}
