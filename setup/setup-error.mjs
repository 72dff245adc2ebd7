/** A failure that the person at the keyboard can mend; its message says how. */
export class SetupError extends Error {
  name = 'SetupError'
}
