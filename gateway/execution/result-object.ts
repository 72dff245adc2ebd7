/** An object of a subgraph's answer, or of the one that is put together from them. */
export type ResultObject = Record<string, unknown>

/** Whether a value is an object of an answer: neither a list nor a leaf. */
export function isResultObject(value: unknown): value is ResultObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Names that every object seems to have; all of them are valid names and aliases in GraphQL. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Whether reading this name of an object may find what was never put there. */
export function isInheritedName(name: string): boolean {
  return INHERITED.has(name)
}

/** Reads a value that was put there. */
export function readOwn(object: ResultObject, name: string): unknown {
  return INHERITED.has(name) && !Object.hasOwn(object, name) ? undefined : object[name]
}

/** Puts a value there, whatever its name. */
export function writeOwn(object: ResultObject, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  else object[name] = value
}

/**
 * Merges what a subgraph answered into what is known already, deeply: objects field by field, lists of equal length item
 * by item; everything else replaces what was there. `undefined` counts as absent.
 *
 * Values of `source` become part of `target`; it must not be merged anywhere else afterwards (see `copyResult`).
 */
export function mergeResult(target: ResultObject, source: ResultObject): void {
  for (const name in source) {
    const value = source[name]
    if (value === undefined) continue
    const known = readOwn(target, name)
    if (known === undefined || known === null || typeof value !== 'object' || value === null)
      writeOwn(target, name, value)
    else if (isResultObject(value)) {
      if (isResultObject(known)) mergeResult(known, value)
      else writeOwn(target, name, value)
    } else if (Array.isArray(value)) {
      if (Array.isArray(known) && known.length === value.length) mergeItems(known, value)
      else writeOwn(target, name, value)
    }
  }
}

function mergeItems(target: unknown[], source: readonly unknown[]): void {
  source.forEach((value, index) => {
    const known = target[index]
    if (isResultObject(known) && isResultObject(value)) mergeResult(known, value)
    else if (Array.isArray(known) && Array.isArray(value) && known.length === value.length)
      mergeItems(known, value)
    else target[index] = value
  })
}

/** Copies an answer, so that two places can hold it without changing each other. Leaf objects (JSON) are copied too. */
export function copyResult<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyResult) as T
  if (!isResultObject(value)) return value
  const copy: ResultObject = {}
  for (const name in value) writeOwn(copy, name, copyResult(value[name]))
  return copy as T
}
