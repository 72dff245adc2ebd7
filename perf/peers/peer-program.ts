import { createInterface } from 'node:readline'

/** What a peer has started. */
export interface Started<Ready> {
  /** Told to the runner. */
  readonly ready: Ready
  /** Answers what the runner asks while it runs; without it nothing may be asked. */
  answer?(question: string): Promise<unknown>
  close(): Promise<void>
}

/**
 * Runs a peer as a program of the perf runner: hands over the options of its command line, says when it is ready,
 * answers the lines of its standard input one by one, and closes it when the runner lets go of that, or has died.
 */
export async function runPeer<Options, Ready>(
  start: (options: Options) => Promise<Started<Ready>>,
): Promise<void> {
  const { ready, answer, close } = await start(JSON.parse(process.argv[2] ?? '{}') as Options)
  let isClosing = false
  const end = async () => {
    if (isClosing) return
    isClosing = true
    await close()
    process.exit(0)
  }
  createInterface({ input: process.stdin })
    .on('line', async question => print({ answer: (await answer?.(question)) ?? null }))
    .once('close', end)
  process.on('SIGTERM', end)
  // Ctrl-C reaches the whole terminal group; the runner ends its programs itself.
  process.on('SIGINT', () => {})
  print({ ready })
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
