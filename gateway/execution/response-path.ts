import { isResultObject, type ResultObject, readOwn } from './result-object.ts'

/** Where a step of a plan works: names of fields, and `@` for each list on the way. */
export type PlanPath = readonly string[]

/** A place in an answer, as errors name it. */
export type ErrorPath = readonly (string | number)[]

/** Finds the objects at a path, those of all lists on the way, in order; what is null or absent is left out. */
export function findObjects(root: ResultObject, path: PlanPath): ResultObject[] {
  let found: unknown[] = [root]
  for (const step of path) {
    const next: unknown[] = []
    for (const value of found) {
      if (step === '@') {
        if (!Array.isArray(value)) throw new TypeError(`Expected a list at ${path.join('.')}.`)
        for (const item of value) if (item !== null && item !== undefined) next.push(item)
      } else {
        if (!isResultObject(value)) throw new TypeError(`Expected an object at ${path.join('.')}.`)
        const inner = readOwn(value, step)
        if (inner !== null && inner !== undefined) next.push(inner)
      }
    }
    found = next
  }
  return found as ResultObject[]
}

/** Finds where the objects of `findObjects` are: one path for each of them, with an index for each `@`. */
export function locateObjects(root: ResultObject, path: PlanPath): ErrorPath[] {
  let found: { readonly value: unknown; readonly at: ErrorPath }[] = [{ value: root, at: [] }]
  for (const step of path) {
    found = found.flatMap(({ value, at }) => {
      if (step === '@')
        return (value as unknown[]).map((item, index) => ({ value: item, at: [...at, index] }))
      return [{ value: readOwn(value as ResultObject, step), at: [...at, step] }]
    })
    found = found.filter(({ value }) => value !== null && value !== undefined)
  }
  return found.map(({ at }) => at)
}
