const TERMINAL_INTERVAL_MS = 1_000
const LOG_INTERVAL_MS = 15_000

/**
 * Says on stderr that a long step has begun, how long it has taken so far, and that it is done: one line that is
 * rewritten on a terminal, a line now and then elsewhere. `work` is given a function by which it says how far it is, and
 * may return what to say instead of "done".
 */
export async function withProgress(title, work, out = process.stderr) {
  const startedAt = Date.now()
  let stage = ''
  const seconds = () => Math.round((Date.now() - startedAt) / 1_000)
  const say = (text, isLast) => {
    if (out.isTTY) out.write(`\r\x1b[K${text}${isLast ? '\n' : ''}`)
    else out.write(`${text}\n`)
  }
  say(`setup: ${title} …`, false)
  const timer = setInterval(
    () => say(`setup: ${title} … ${seconds()} s${stage === '' ? '' : `, ${stage}`}`, false),
    out.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS,
  )
  try {
    const outcome = await work(text => {
      stage = text
    })
    say(`setup: ${title}: ${outcome ?? 'done'} in ${seconds()} s`, true)
  } catch (error) {
    say(`setup: ${title}: failed after ${seconds()} s`, true)
    throw error
  } finally {
    clearInterval(timer)
  }
}
