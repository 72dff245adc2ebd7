import { runPeer } from '../peer-program.ts'

/** How often it asks. */
const INTERVAL_MS = 25

/**
 * Somebody new who asks the door something, over a connection of its own each time and at a fixed rate whatever the
 * answers take: from the question `start` on until `end`, which answers what each took, in ms. A process of its own,
 * for the one that makes the storm has no time.
 */
await runPeer<{ url: string }, object>(async ({ url }) => {
  let asked: Promise<number>[] = []
  let timer: NodeJS.Timeout | undefined
  const ask = async () => {
    const at = performance.now()
    const response = await fetch(url, { headers: { connection: 'close' } })
    await response.arrayBuffer()
    return performance.now() - at
  }
  return {
    ready: {},
    async answer(question) {
      clearInterval(timer)
      if (question === 'start') {
        await ask()
        asked = []
        timer = setInterval(() => asked.push(ask()), INTERVAL_MS)
        return null
      }
      return Promise.all(asked)
    },
    async close() {
      clearInterval(timer)
    },
  }
})
