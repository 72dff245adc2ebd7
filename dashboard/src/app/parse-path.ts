/** Parts of a path by a pattern as `/spaces/:spaceId/board`; undefined when it does not fit or is no valid path. */
export function parsePath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/')
  const given = path.replace(/\/+$/, '').split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? ''
    if (!part.startsWith(':')) {
      if (part !== text) return undefined
      continue
    }
    try {
      params[part.slice(1)] = decodeURIComponent(text)
    } catch {
      return undefined
    }
    if (text === '') return undefined
  }
  return params
}
