import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../shared/errors.ts'

/** Cost of a hash (OWASP's argon2id minimum): 19 MiB for about 20 ms of one core. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A hash of our cost that no password has, for addresses that are unknown. */
const NOBODYS_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Hashes a password (argon2id, RFC 9106) with a salt of its own, as text that says its cost. Passwords are alike when
 * their compatible forms (NFKC) are.
 */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), COST)
}

/** Hashes and checks passwords, a few at a time. */
export interface PasswordHasher {
  /** As hashPassword. Throws RATE_LIMITED when too many wait already. */
  hash(password: string): Promise<string>
  /**
   * Whether the password belongs to the hash. Without a hash it is false after as long as with one.
   * Throws RATE_LIMITED when too many wait already.
   */
  check(passwordHash: string | undefined, password: string): Promise<boolean>
}

/**
 * Creates the hasher: `maxConcurrent` hashes run (default 2, so that a burst takes neither all cores nor much
 * memory), `maxWaiting` wait (default 100, about a second's worth), more are refused.
 */
export function createPasswordHasher({
  maxConcurrent = 2,
  maxWaiting = 100,
}: {
  maxConcurrent?: number
  maxWaiting?: number
} = {}): PasswordHasher {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < maxConcurrent) {
      running++
      return
    }
    if (waiting.length >= maxWaiting)
      throw new AppError(
        'RATE_LIMITED',
        'Too many passwords are being checked right now. Try again in a moment.',
      )
    await new Promise<void>(resolve => waiting.push(resolve))
  }

  /** Hands the place on, or gives it up. */
  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }

  return {
    hash: password => inTurn(() => hashPassword(password)),
    check: (passwordHash, password) =>
      inTurn(async () => {
        const isRight = await verify(passwordHash ?? NOBODYS_HASH, password.normalize('NFKC'))
        return isRight && passwordHash !== undefined
      }),
  }
}
