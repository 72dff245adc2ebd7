import { AppError } from '../subgraphs/shared/errors.ts'
import type { MediaLimits } from './media-limits.ts'
import type { MediaWorker } from './media-worker.ts'
import { RoomBranch } from './room-branch.ts'
import type { WorkerPool } from './worker-pool.ts'

/** A place in a branch, until it is given back. */
export interface Seat {
  readonly branch: Promise<RoomBranch>
  /** Again is the same. */
  release(): void
}

/**
 * The branches of one room: the home, where its source is, and those in other workers that take the viewers for which
 * the home's worker has no room. A branch without viewers is closed, but for the home.
 */
export class RoomSeats {
  readonly #pool: WorkerPool
  readonly #limits: MediaLimits
  readonly #onHomeDied: () => void
  readonly #branches = new Map<MediaWorker, { branch: Promise<RoomBranch>; sessions: number }>()
  #home: MediaWorker | undefined
  #isClosed = false

  constructor(pool: WorkerPool, limits: MediaLimits, onHomeDied: () => void) {
    this.#pool = pool
    this.#limits = limits
    this.#onHomeDied = onHomeDied
  }

  /** The home branch; chosen anew, in the idlest worker, when there is none (any more). */
  async getHome(): Promise<RoomBranch> {
    if (this.#home === undefined) {
      const worker = await this.#pool.getIdlest(this.#limits.workerDeadlineMs)
      if (this.#isClosed) throw new AppError('NOT_FOUND', 'The broadcast has ended.')
      // Another call may have chosen while this one waited.
      this.#home ??= this.#settle(worker)
    }
    return await this.#open(this.#home).branch
  }

  /** Takes a seat: at home, else where the room is already, else in the idlest worker. UNAVAILABLE while home is lost. */
  take(mustBeHome: boolean): Seat {
    const home = this.#home
    if (home === undefined || this.#isClosed)
      throw new AppError('UNAVAILABLE', 'The broadcast is being moved to another media worker. Try again.')
    const worker = mustBeHome ? home : this.#choose(home)
    const entry = this.#open(worker)
    entry.sessions++
    worker.sessions++
    let isTaken = true
    return {
      branch: entry.branch,
      release: () => {
        if (!isTaken) return
        isTaken = false
        entry.sessions--
        worker.sessions--
        if (entry.sessions === 0 && worker !== this.#home) this.#shut(worker)
      },
    }
  }

  /** Closes all branches; again is the same. */
  close(): void {
    this.#isClosed = true
    if (this.#home !== undefined) this.#home.rooms--
    this.#home = undefined
    for (const worker of [...this.#branches.keys()]) this.#shut(worker)
  }

  #choose(home: MediaWorker): MediaWorker {
    const { workerCapacity } = this.#limits
    const here = [home, ...[...this.#branches.keys()].filter(worker => worker !== home)]
    const free = here.find(worker => worker.sessions < workerCapacity)
    if (free !== undefined) return free
    const idlest = this.#pool.findIdlest(new Set(here))
    if (idlest !== undefined && idlest.sessions < workerCapacity) return idlest
    // All are full: the least full one takes it, and viewers see less before they see nothing.
    return here.reduce((best, worker) => (worker.sessions < best.sessions ? worker : best))
  }

  #settle(worker: MediaWorker): MediaWorker {
    worker.rooms++
    return worker
  }

  #open(worker: MediaWorker) {
    const known = this.#branches.get(worker)
    if (known !== undefined) return known
    const branch = RoomBranch.open(worker, this.#limits, () => this.#forget(worker))
    const entry = { branch, sessions: 0 }
    this.#branches.set(worker, entry)
    branch.catch(() => {
      if (this.#branches.get(worker) === entry) this.#forget(worker)
    })
    return entry
  }

  #forget(worker: MediaWorker): void {
    this.#branches.delete(worker)
    if (worker !== this.#home) return
    worker.rooms--
    this.#home = undefined
    if (!this.#isClosed) this.#onHomeDied()
  }

  #shut(worker: MediaWorker): void {
    const entry = this.#branches.get(worker)
    this.#branches.delete(worker)
    entry?.branch.then(
      branch => branch.close(),
      () => {},
    )
  }
}
