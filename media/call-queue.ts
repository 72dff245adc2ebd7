import { AppError } from '../subgraphs/shared/errors.ts'

/** Runs calls one after the other, in the order in which they came, at most `max` waiting. */
export class CallQueue {
  readonly #max: number
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Answers what `call` does, once those before it have ended. Throws RATE_LIMITED when too many wait. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#max) throw new AppError('RATE_LIMITED', 'Too many calls at once.')
    this.#waiting++
    const result = this.#last.then(call).finally(() => {
      this.#waiting--
    })
    this.#last = result.catch(() => {})
    return await result
  }
}
