const STORAGE_KEY = 'nuvion.space'

/** Id of the space that was looked at last on this machine, if storage is allowed. */
export function readLastSpace(): string | undefined {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps which space was looked at last. */
export function writeLastSpace(id: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, id)
  } catch {
    // Storage may be forbidden: the first space is shown then.
  }
}
