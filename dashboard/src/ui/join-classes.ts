/** Class attribute of those that are given; undefined for none. */
export function joinClasses(...names: (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined
}
