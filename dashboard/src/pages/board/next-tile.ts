import type { BoardRow } from './board-rows.ts'

/**
 * The tile that a key goes to from another: arrows to the neighbour (up and down in the same column, as far as the row
 * goes), Home and End to the first and the last. Undefined for other keys and at the edges.
 */
export function nextTile(
  rows: readonly BoardRow[],
  deviceId: string,
  key: string,
): { deviceId: string; rowKey: string } | undefined {
  const tiles = rows.flatMap(row => (row.kind === 'tiles' ? [row] : []))
  const at = tiles.findIndex(row => row.deviceIds.includes(deviceId))
  const row = tiles[at]
  if (row === undefined) return undefined
  const column = row.deviceIds.indexOf(deviceId)
  const find = (rowAt: number, columnAt: number) => {
    const to = tiles[rowAt]
    const id = to?.deviceIds[Math.min(columnAt, to.deviceIds.length - 1)]
    return to === undefined || id === undefined ? undefined : { deviceId: id, rowKey: to.key }
  }
  switch (key) {
    case 'ArrowRight':
      return column + 1 < row.deviceIds.length ? find(at, column + 1) : find(at + 1, 0)
    case 'ArrowLeft':
      return column > 0 ? find(at, column - 1) : find(at - 1, Number.MAX_SAFE_INTEGER)
    case 'ArrowDown':
      return find(at + 1, column)
    case 'ArrowUp':
      return find(at - 1, column)
    case 'Home':
      return find(0, 0)
    case 'End':
      return find(tiles.length - 1, Number.MAX_SAFE_INTEGER)
    default:
      return undefined
  }
}
