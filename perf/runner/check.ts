/** One figure with what it has to be. */
export interface Check {
  /** `<suite>.<figure>`; other programs know checks by it. */
  readonly name: string
  readonly value: number
  /** Such as `ms` or `ratio`. */
  readonly unit: string
  /** What the value may just be; null when it is only reported. */
  readonly limit: number | null
  readonly better: 'lower' | 'higher'
  readonly ok: boolean
}

/** Digits that are kept of a value: more is noise, and less could turn a check over. */
const DIGITS = 4

/** Compares a value with its limit. A value that is no number fails. */
export function createCheck(figure: Omit<Check, 'ok'>): Check {
  const { name, unit, limit, better } = figure
  const value = Number(figure.value.toPrecision(DIGITS))
  if (!Number.isFinite(figure.value)) return { ...figure, ok: false }
  const isWithin = limit === null || (better === 'lower' ? figure.value <= limit : figure.value >= limit)
  return { name, value, unit, limit, better, ok: isWithin }
}
