const ER_DUP_ENTRY = 1062

/** Whether what was thrown says that a unique key is taken, wherever the driver's error is wrapped. */
export function isDuplicateEntry(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  return ('errno' in thrown && thrown.errno === ER_DUP_ENTRY) || isDuplicateEntry(thrown.cause)
}
