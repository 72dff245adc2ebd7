import { createLimitError, formatCount } from './limit-error.ts'

/**
 * Refuses variables of more than `max` values and keys, before anything looks at them by type: what is wrong with each
 * would be told in a message that quotes its surroundings. Throws BAD_USER_INPUT; stops counting at the first too many.
 */
export function checkVariableSize(variables: unknown, max: number): void {
  const open: unknown[] = [variables]
  let count = 0
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const key in value) {
      count += 1
      if (count > max) {
        throw createLimitError(
          'variables',
          max,
          `The variables have more values than allowed: at most ${formatCount(max)}.`,
        )
      }
      open.push((value as Record<string, unknown>)[key])
    }
  }
}
