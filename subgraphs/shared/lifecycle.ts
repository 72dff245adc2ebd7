import type { Logger } from './logger.ts'

/** Something that holds a socket, a timer or a worker. */
export interface Closable {
  [Symbol.asyncDispose](): Promise<void>
}

/** Closes what a process has opened, newest first. */
export interface Lifecycle extends Closable {
  /** Takes over the closing of `thing` and returns it. Once closing has begun, closes it at once. */
  own<T extends Closable>(name: string, thing: T): T
}

/**
 * Creates the list of what to close.
 *
 * Disposing closes everything in reverse order of `own`, each under `deadlineMs` (default 10 s), logs what failed
 * or was left, and never throws; disposing again waits for the first.
 */
export function createLifecycle({
  logger,
  deadlineMs = 10_000,
}: {
  logger: Logger
  deadlineMs?: number
}): Lifecycle {
  const owned: { name: string; thing: Closable }[] = []
  let closing: Promise<void> | undefined

  async function close(name: string, thing: Closable): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>(resolve => {
      timer = setTimeout(() => resolve('late'), deadlineMs)
    })
    try {
      const result = await Promise.race([thing[Symbol.asyncDispose]().then(() => 'closed' as const), late])
      if (result === 'late') logger.error({ name, deadlineMs }, 'lifecycle.left_open')
    } catch (error) {
      logger.error({ name, err: error }, 'lifecycle.close_failed')
    } finally {
      clearTimeout(timer)
    }
  }

  async function closeAll(): Promise<void> {
    for (let next = owned.pop(); next !== undefined; next = owned.pop()) await close(next.name, next.thing)
  }

  return {
    own(name, thing) {
      owned.push({ name, thing })
      // What comes late is closed behind the rest, and whoever disposes waits for it too.
      if (closing !== undefined) closing = closing.then(closeAll)
      return thing
    },
    async [Symbol.asyncDispose]() {
      closing ??= closeAll()
      for (let awaited: typeof closing | undefined; awaited !== closing; ) {
        awaited = closing
        await awaited
      }
    },
  }
}
