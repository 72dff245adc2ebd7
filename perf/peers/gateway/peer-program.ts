/** What a peer has started. */
export interface Started<Ready> {
  /** Told to the runner. */
  readonly ready: Ready
  close(): Promise<void>
}

/**
 * Runs a peer as a program of the perf runner: hands over the options of its command line, says when it is ready, and
 * closes it when the runner lets go of its standard input, or has died.
 */
export async function runPeer<Options, Ready>(
  start: (options: Options) => Promise<Started<Ready>>,
): Promise<void> {
  const { ready, close } = await start(JSON.parse(process.argv[2] ?? '{}') as Options)
  let isClosing = false
  const end = async () => {
    if (isClosing) return
    isClosing = true
    await close()
    process.exit(0)
  }
  process.stdin.resume().once('end', end)
  process.on('SIGTERM', end)
  // Ctrl-C reaches the whole terminal group; the runner ends its programs itself.
  process.on('SIGINT', () => {})
  process.stdout.write(`${JSON.stringify({ ready })}\n`)
}
