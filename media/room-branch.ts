import type { types } from 'mediasoup'
import { askWorker } from './ask-worker.ts'
import type { MediaLimits } from './media-limits.ts'
import type { MediaWorker } from './media-worker.ts'
import { ROUTER_CODECS } from './router-codecs.ts'

/** A room's router in one worker. The home branch has the source; others get it by pipes over loopback. */
export class RoomBranch {
  readonly worker: MediaWorker
  readonly router: types.Router
  readonly #deadlineMs: number
  readonly #piped = new Map<string, Promise<unknown>>()

  private constructor(worker: MediaWorker, router: types.Router, deadlineMs: number) {
    this.worker = worker
    this.router = router
    this.#deadlineMs = deadlineMs
  }

  /** Opens a router in a worker. `onDied` is told once when that ends by itself. */
  static async open(
    worker: MediaWorker,
    { workerDeadlineMs }: Pick<MediaLimits, 'workerDeadlineMs'>,
    onDied: (branch: RoomBranch) => void,
  ): Promise<RoomBranch> {
    const router = await worker.createRouter(ROUTER_CODECS)
    const branch = new RoomBranch(worker, router, workerDeadlineMs)
    router.once('workerclose', () => onDied(branch))
    return branch
  }

  get isClosed(): boolean {
    return this.router.closed
  }

  /** Sees that a producer of the home branch can be consumed here, under the same id. */
  async provide(producer: types.Producer, home: RoomBranch): Promise<void> {
    if (home === this || producer.closed) return
    const known = this.#piped.get(producer.id)
    if (known !== undefined) return void (await known)
    const pipe = askWorker('Piping a producer to another worker', this.#deadlineMs, () =>
      home.router.pipeToRouter({ producerId: producer.id, router: this.router, enableSctp: false }),
    )
    this.#piped.set(producer.id, pipe)
    const forget = () => this.#piped.delete(producer.id)
    producer.observer.once('close', forget)
    pipe.catch(forget)
    await pipe
  }

  /** Closes the router and all that is in it; again is the same. */
  close(): void {
    this.router.close()
  }
}
