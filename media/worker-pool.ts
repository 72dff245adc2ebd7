import { AppError } from '../subgraphs/shared/errors.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import type { MediaAddress } from './media-address.ts'
import type { MediaLimits } from './media-limits.ts'
import type { MediaMetrics } from './media-metrics.ts'
import { MediaWorker } from './media-worker.ts'

const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 30_000

export interface WorkerPoolOptions {
  readonly count: number
  readonly addresses: readonly MediaAddress[]
  /** The first worker's port; the others have the next ones. */
  readonly firstPort: number
  readonly limits: Pick<MediaLimits, 'workerDeadlineMs'>
  readonly logger: Logger
  readonly metrics: MediaMetrics
}

/** The workers of this process. One that dies is replaced, on the same port, until that succeeds. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #workers = new Map<number, MediaWorker>()
  readonly #retries = new Set<NodeJS.Timeout>()
  readonly #waiting: (() => void)[] = []
  #isClosed = false

  private constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /** Starts all workers, or none: rejects when one cannot be started. */
  static async start(options: WorkerPoolOptions): Promise<WorkerPool> {
    const pool = new WorkerPool(options)
    try {
      for (let index = 0; index < options.count; index++) await pool.#startWorker(index)
      return pool
    } catch (error) {
      await pool.close()
      throw error
    }
  }

  get workers(): readonly MediaWorker[] {
    return [...this.#workers.values()]
  }

  /** The worker with the fewest sessions, then the fewest rooms; undefined when none is there, or none but `except`. */
  findIdlest(except: ReadonlySet<MediaWorker> = new Set()): MediaWorker | undefined {
    let best: MediaWorker | undefined
    for (const worker of this.#workers.values()) {
      if (except.has(worker) || worker.isClosed) continue
      if (best === undefined || isLessLoaded(worker, best)) best = worker
    }
    return best
  }

  /** The idlest worker, waiting for one while all are being replaced. Rejects with UNAVAILABLE past `deadlineMs`. */
  async getIdlest(deadlineMs: number): Promise<MediaWorker> {
    const giveUpAt = Date.now() + deadlineMs
    for (;;) {
      const worker = this.findIdlest()
      if (worker !== undefined) return worker
      const leftMs = giveUpAt - Date.now()
      if (leftMs <= 0 || this.#isClosed)
        throw new AppError('UNAVAILABLE', 'No media worker is there. Try again.')
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, leftMs)
        this.#waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  /** Ends all workers; again is the same. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#retries) clearTimeout(timer)
    this.#wake()
    await Promise.all(this.workers.map(worker => worker.close()))
    this.#workers.clear()
  }

  async #startWorker(index: number): Promise<void> {
    const { addresses, firstPort, limits, logger, metrics } = this.#options
    const worker = await MediaWorker.start({ addresses, port: firstPort + index, limits, logger })
    if (this.#isClosed) return await worker.close()
    this.#workers.set(index, worker)
    metrics.workers.set(this.#workers.size)
    worker.onDied(wasTold => {
      if (!wasTold) logger.error({ pid: worker.pid, port: worker.port }, 'media.worker_died')
      metrics.workerDeaths.inc()
      this.#workers.delete(index)
      metrics.workers.set(this.#workers.size)
      // If it was told along with this process, none is wanted.
      this.#replace(index, wasTold ? 1 : 0)
    })
    this.#wake()
  }

  #replace(index: number, attempt: number): void {
    if (this.#isClosed) return
    // The first time at once.
    const delayMs = attempt === 0 ? 0 : Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LAST_RETRY_MS)
    const timer = setTimeout(() => {
      this.#retries.delete(timer)
      this.#startWorker(index).catch(error => {
        this.#options.logger.error({ err: error, attempt }, 'media.worker_not_replaced')
        this.#replace(index, attempt + 1)
      })
    }, delayMs)
    this.#retries.add(timer)
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

function isLessLoaded(a: MediaWorker, b: MediaWorker): boolean {
  return a.sessions < b.sessions || (a.sessions === b.sessions && a.rooms < b.rooms)
}
