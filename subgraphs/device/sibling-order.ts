/** Something that has a place among others. */
interface Sibling {
  readonly id: string
  readonly position: number
}

/** Answers the siblings with `item` at a position from 0, past the end at the end; whatever was of its id is left out. */
export function placeAt<T extends Sibling>(
  siblings: readonly T[],
  item: T,
  position: number | null | undefined,
): T[] {
  const others = siblings.filter(({ id }) => id !== item.id)
  return others.toSpliced(position ?? others.length, 0, item)
}

/** Answers those that are not where their order says, with the position that they should have: 0, 1, 2 … */
export function renumber<T extends Sibling>(siblings: readonly T[]): T[] {
  return siblings.flatMap((sibling, position) =>
    sibling.position === position ? [] : [{ ...sibling, position }],
  )
}
