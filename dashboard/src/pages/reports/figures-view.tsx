import { useMemo } from 'preact/hooks'
import { useUrlState } from '../../app/url-state.ts'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { type GroupedRow, groupName, groupTitle, groupValue } from './group-name.ts'
import { messages } from './messages.ts'
import styles from './report-panel.module.css'
import type { ReportGroup } from './report-request.ts'

/** A figure of a row: how it is shown, and the number that it is sorted by and written to files as. */
export interface Figure<Row> {
  readonly key: string
  readonly label: string
  readonly value: (row: Row) => number | null
  readonly render: (row: Row) => preact.ComponentChildren
}

const MOST_ROWS = 500

/** Rows of figures by group, sorted by any of them. */
export function FiguresView<Row extends GroupedRow>({
  title,
  rows,
  groups,
  figures,
}: {
  title: string
  rows: readonly Row[]
  groups: readonly ReportGroup[]
  figures: readonly Figure<Row>[]
}) {
  const [sortText, setSort] = useUrlState('sort', text => text, '')
  const isDescending = sortText.startsWith('-')
  const key = isDescending ? sortText.slice(1) : sortText
  const sorted = useMemo(() => {
    const figure = figures.find(one => one.key === key)
    if (figure === undefined) return rows
    const sign = isDescending ? -1 : 1
    return rows.toSorted(
      (a, b) =>
        sign *
        ((figure.value(a) ?? Number.NEGATIVE_INFINITY) - (figure.value(b) ?? Number.NEGATIVE_INFINITY)),
    )
  }, [rows, key, isDescending, figures])
  return (
    <Panel title={title} count={rows.length} isFlush>
      <Table
        caption={title}
        rows={sorted.slice(0, MOST_ROWS)}
        rowKey={row => groupName(row, groups)}
        {...(key !== '' && { sort: { key, isDescending } })}
        onSort={next => setSort(`${next.isDescending ? '-' : ''}${next.key}`)}
        columns={[
          ...(groups.length === 0
            ? [{ key: 'all', label: messages.total, isRowHeader: true, render: () => messages.all }]
            : groups.map((group, at) => ({
                key: group,
                label: groupTitle(group),
                isRowHeader: at === 0,
                render: (row: Row) => groupValue(row, group),
              }))),
          ...figures.map(({ key: figure, label, render }) => ({
            ...{ key: figure, label, render, isSortable: true, align: 'end' as const },
          })),
        ]}
      />
      {rows.length > MOST_ROWS && <p class={styles.note}>{messages.rowsShown(MOST_ROWS, rows.length)}</p>}
    </Panel>
  )
}
