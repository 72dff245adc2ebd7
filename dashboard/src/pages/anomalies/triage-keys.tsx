import { useEffect, useRef } from 'preact/hooks'
import { useShortcut } from '../../ui/shortcuts.ts'
import type { AnomalyActions } from './anomaly-actions.ts'
import type { AnomalyRow, AnomalyStore } from './anomaly-store.ts'
import { messages } from './messages.ts'

/** What the keys work on. */
interface Triage {
  readonly store: AnomalyStore
  readonly actions: AnomalyActions
  /** Whether the person may do more than look. */
  readonly mayWork: boolean
  readonly activeId: string
  readonly selected: ReadonlySet<string>
  setSelected(ids: ReadonlySet<string>): void
  activeRow(): AnomalyRow | undefined
  goTo(id: string): void
  open(id: string): void
  close(): void
  askForComment(id: string): void
  focusList(): void
}

/** The keys of triage, while it is there. Those that change something are neither heard nor listed for who may only look. */
export function TriageKeys(triage: Triage) {
  useShortcut('j', messages.keyNext, () => move(triage, 1))
  useShortcut('k', messages.keyPrevious, () => move(triage, -1))
  useShortcut('o', messages.keyOpen, () => openActive(triage))
  useShortcut('Escape', messages.keyClose, () => triage.close())

  // Enter belongs to what has the focus; only the list itself, or nothing at all, leaves it to the row.
  const latest = useRef(triage)
  latest.current = triage
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return
      if (document.querySelector('dialog[open]') !== null) return
      const { target } = event
      const isTaken =
        target instanceof Element &&
        target.closest('button, a, input, textarea, select, label, [role="menu"]') !== null
      if (!isTaken) openActive(latest.current)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return triage.mayWork ? <WorkKeys {...triage} /> : null
}

function WorkKeys(triage: Triage) {
  const { store, actions, selected, setSelected } = triage
  const onActive = (work: (row: AnomalyRow) => void) => {
    const row = triage.activeRow()
    if (row !== undefined) work(row)
  }
  useShortcut('a', messages.keyAcknowledge, () => {
    const chosen = store.rows.peek().filter(({ id }) => selected.has(id))
    if (chosen.length > 0) void actions.acknowledge(chosen)
    else onActive(row => void actions.acknowledge([row]))
  })
  useShortcut('r', messages.keyResolve, () => onActive(row => void actions.resolve(row, '')))
  useShortcut('R', messages.keyReopen, () => onActive(row => void actions.reopen(row)))
  useShortcut('c', messages.keyComment, () => onActive(({ id }) => triage.askForComment(id)))
  useShortcut('x', messages.keySelect, () =>
    onActive(({ id }) => {
      const next = new Set(selected)
      if (!next.delete(id)) next.add(id)
      setSelected(next)
    }),
  )
  useShortcut('J', messages.keyExtendDown, () => move(triage, 1, true))
  useShortcut('K', messages.keyExtendUp, () => move(triage, -1, true))
  return null
}

function openActive(triage: Triage): void {
  const row = triage.activeRow()
  if (row !== undefined) triage.open(row.id)
}

function move(triage: Triage, by: 1 | -1, isExtending = false): void {
  const { store, activeId, selected } = triage
  const rows = store.rows.peek()
  const at = rows.findIndex(({ id }) => id === activeId)
  const to = at === -1 ? (by === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))
  const row = rows[to]
  if (row === undefined) return
  if (isExtending) triage.setSelected(new Set([...selected, ...(at === -1 ? [] : [activeId]), row.id]))
  triage.focusList()
  triage.goTo(row.id)
}
