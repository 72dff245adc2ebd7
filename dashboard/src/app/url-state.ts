import { useMemo } from 'preact/hooks'
import { currentPath, currentSearch, navigate } from './router.ts'

/**
 * A value that lives in the search of the address, to be shared and to outlive a reload; it leaves no steps in the
 * history. `parse` gets the text and answers undefined for what is none; the initial value is not written to the address.
 * `const [query, setQuery] = useUrlState('q', text => text, '')`
 */
export function useUrlState<T>(
  name: string,
  parse: (text: string) => T | undefined,
  initial: T,
  serialize: (value: T) => string = String,
): [T, (value: T) => void] {
  const text = new URLSearchParams(currentSearch.value).get(name)
  const value = useMemo(() => (text === null ? initial : (parse(text) ?? initial)), [text])
  const set = (next: T) => {
    const search = new URLSearchParams(location.search)
    if (serialize(next) === serialize(initial)) search.delete(name)
    else search.set(name, serialize(next))
    const rest = search.toString()
    navigate(currentPath.peek() + (rest === '' ? '' : `?${rest}`) + location.hash, { isReplacing: true })
  }
  return [value, set]
}
