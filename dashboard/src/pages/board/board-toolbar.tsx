import { useState } from 'preact/hooks'
import { Checkbox } from '../../ui/checkbox.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { statusText } from '../../ui/status-mark.tsx'
import type { BoardFilters, useBoardFilters } from './board-filters.ts'
import type { BoardTopology } from './board-rows.ts'
import styles from './board-toolbar.module.css'
import { messages } from './messages.ts'

const STATUSES = ['RUNNING', 'IDLE', 'STOPPED', 'ERROR', 'UNKNOWN'] as const

/** What narrows the floor down; all of it is in the address. */
export function BoardToolbar({
  topology: { lines, processes },
  board,
}: {
  topology: BoardTopology
  board: ReturnType<typeof useBoardFilters>
}) {
  const { filters, density } = board
  const [isOpen, setOpen] = useState(false)
  const any = { value: '', label: messages.any } as const
  const ofLine = processes.filter(({ lineId }) => filters.lineId === '' || lineId === filters.lineId)
  const orders = { code: messages.byCode, name: messages.byName, urgency: messages.byUrgency }
  return (
    <div class={styles.toolbar} data-open={isOpen}>
      <div class={styles.search}>
        <SearchField label={messages.search} value={filters.text} onValue={board.setText} />
        <span class={styles.toggle}>
          <IconButton
            icon="filter"
            label={messages.filters}
            isPressed={isOpen}
            onClick={() => setOpen(before => !before)}
          />
        </span>
      </div>
      <Select
        label={messages.line}
        value={filters.lineId}
        options={[any, ...lines.map(({ id, name }) => ({ value: id, label: name }))]}
        onValue={board.setLineId}
      />
      <Select
        label={messages.process}
        value={filters.processId}
        options={[any, ...ofLine.map(({ id, name }) => ({ value: id, label: name }))]}
        onValue={board.setProcessId}
      />
      <Select<BoardFilters['status']>
        label={messages.status}
        value={filters.status}
        options={[any, ...STATUSES.map(status => ({ value: status, label: statusText(status) }))]}
        onValue={board.setStatus}
      />
      <Select<BoardFilters['presence']>
        label={messages.presence}
        value={filters.presence}
        options={[
          any,
          { value: 'online', label: uiMessages.online },
          { value: 'offline', label: uiMessages.offline },
        ]}
        onValue={board.setPresence}
      />
      <Select<BoardFilters['order']>
        label={messages.order}
        value={filters.order}
        options={(['code', 'name', 'urgency'] as const).map(value => ({ value, label: orders[value] }))}
        onValue={board.setOrder}
      />
      <div class={styles.checks}>
        <Checkbox
          label={messages.withAnomalies}
          isChecked={filters.isWithAnomalies}
          onValue={board.setWithAnomalies}
        />
        <Checkbox
          label={messages.dense}
          isChecked={density === 'dense'}
          onValue={isDense => board.setDensity(isDense ? 'dense' : 'comfortable')}
        />
      </div>
    </div>
  )
}
