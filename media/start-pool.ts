import { AppError } from '../subgraphs/shared/errors.ts'
import type { PortBlock } from '../subgraphs/shared/media-settings.ts'
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.ts'

/** Blocks to try when none is configured: below the ports that the system gives to connections. */
const FIRST_PORT = 20_000
const BLOCK_SIZE = 200
const BLOCKS = 60

/**
 * Starts the workers on the first ports of `ports`, or of the first block of which these are free. Rejects with an Error
 * that names the setting at fault.
 */
export async function startPool({
  ports,
  ...options
}: Omit<WorkerPoolOptions, 'firstPort'> & { ports: PortBlock | null }): Promise<{
  pool: WorkerPool
  ports: PortBlock
}> {
  const blocks = ports === null ? freeBlocks() : [ports]
  for (const block of blocks) {
    if (block.last - block.first + 1 < options.count + 2)
      throw new Error(
        `NUVION_MEDIA_PORTS must have ${options.count + 2} ports or more for ${options.count} workers.`,
      )
    try {
      return { pool: await WorkerPool.start({ ...options, firstPort: block.first }), ports: block }
    } catch (error) {
      const why = describe(error)
      if (/address not available/.test(why))
        throw new Error(
          `NUVION_MEDIA_LISTEN: this machine has no address ${options.addresses.map(({ ip }) => ip).join(', ')}.`,
          { cause: error },
        )
      if (!/no more available ports|bind failed|in use/.test(why)) throw error
      if (ports !== null)
        throw new Error(`NUVION_MEDIA_PORTS: a port from ${block.first} on is in use.`, { cause: error })
    }
  }
  throw new Error(`NUVION_MEDIA_PORTS: no free block of ${BLOCK_SIZE} ports was found.`)
}

function* freeBlocks(): Generator<PortBlock> {
  for (let at = 0; at < BLOCKS; at++) {
    const first = FIRST_PORT + at * BLOCK_SIZE
    yield { first, last: first + BLOCK_SIZE - 1 }
  }
}

function describe(error: unknown): string {
  const cause = error instanceof AppError ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
