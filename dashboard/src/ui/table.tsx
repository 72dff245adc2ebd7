import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import { joinClasses } from './join-classes.ts'
import styles from './table.module.css'

export type SortOrder = { key: string; isDescending: boolean }

export type Column<Row> = {
  key: string
  label: string
  render: (row: Row) => ComponentChildren
  isSortable?: boolean
  /** Numbers stand at the end. */
  align?: 'start' | 'end'
  /** The cell that names its row. */
  isRowHeader?: boolean
  /** Any CSS width, as "160px". */
  width?: string
}

/** Table with a head that stays; it scrolls by itself where it is too wide. Sorting is the caller's: see `onSort`. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  sort,
  onSort,
  onRowPress,
  isSelected,
}: {
  /** Names the table for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  sort?: SortOrder
  onSort?: (sort: SortOrder) => void
  /** A comfort for the mouse: the row must also have a link or button in it. */
  onRowPress?: (row: Row) => void
  isSelected?: (row: Row) => boolean
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class={styles.scroll} tabIndex={0} aria-label={caption}>
      <table class={styles.table}>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(column => {
              const isSorted = sort?.key === column.key
              return (
                <th
                  key={column.key}
                  scope="col"
                  data-align={column.align}
                  style={column.width === undefined ? undefined : { width: column.width }}
                  aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
                >
                  {column.isSortable === true && onSort !== undefined ? (
                    <button
                      type="button"
                      class={styles.sort}
                      onClick={() =>
                        onSort({ key: column.key, isDescending: isSorted ? !sort.isDescending : false })
                      }
                    >
                      {column.label}
                      <Icon
                        name={isSorted ? (sort.isDescending ? 'arrowDown' : 'arrowUp') : 'chevronsUpDown'}
                        size={12}
                      />
                    </button>
                  ) : (
                    column.label
                  )}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr
              key={rowKey(row)}
              class={joinClasses(
                onRowPress !== undefined && styles.pressable,
                isSelected?.(row) === true && styles.selected,
              )}
              onClick={onRowPress === undefined ? undefined : () => onRowPress(row)}
              onKeyDown={undefined}
            >
              {columns.map(column =>
                column.isRowHeader === true ? (
                  <th key={column.key} scope="row" data-align={column.align}>
                    {column.render(row)}
                  </th>
                ) : (
                  <td key={column.key} data-align={column.align}>
                    {column.render(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
