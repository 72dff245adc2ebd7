import { useComputed } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { useUrlState } from '../../app/url-state.ts'
import { formatNumber } from '../../i18n/format.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import styles from './anomalies-page.module.css'
import { createAnomalyActions } from './anomaly-actions.ts'
import { AnomalyDetail } from './anomaly-detail.tsx'
import { AnomalyListPane } from './anomaly-list-pane.tsx'
import { useAnomalyQuery } from './anomaly-query.ts'
import { type AnomalyRow, openAnomalyStore } from './anomaly-store.ts'
import { AnomalyToolbar } from './anomaly-toolbar.tsx'
import { ConflictsDialog } from './conflicts-dialog.tsx'
import { messages } from './messages.ts'
import { TriageKeys } from './triage-keys.tsx'

/** Anomalies of a space, to be worked through by keyboard or by hand. */
export function AnomaliesPage() {
  const { id: spaceId, viewerRole } = useSpace()
  const mayWork = viewerRole !== 'VIEWER' && viewerRole !== null
  const state = useAnomalyQuery()
  const store = useMemo(() => openAnomalyStore(spaceId, state.query), [spaceId, state.query])
  useEffect(() => () => store.close(), [store])
  const [openId, setOpenId] = useUrlState('anomaly', text => text, '')
  const [activeId, setActiveId] = useState(openId)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [commentAsks, setCommentAsks] = useState(0)
  const drafts = useRef(new Map<string, string>())
  const openRow = useRef<AnomalyRow | undefined>(undefined)
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => setSelected(new Set()), [store])
  useEffect(() => {
    if (openId !== '') setActiveId(openId)
  }, [openId])

  const latest = useRef({ store, open })
  latest.current = { store, open }
  const actions = useMemo(
    () =>
      createAnomalyActions({
        take: row => latest.current.store.take(row),
        open: id => latest.current.open(id),
      }),
    [],
  )

  function open(id: string): void {
    setActiveId(id)
    setOpenId(id)
  }

  /** Goes to a row; what is open follows. */
  function goTo(id: string): void {
    setActiveId(id)
    if (openId !== '') setOpenId(id)
  }

  function close(): void {
    if (openId !== '') setOpenId('')
    else if (selected.size > 0) setSelected(new Set())
    else {
      setActiveId('')
      store.tidy()
      store.showWaiting()
    }
    focusList()
  }

  function focusList(): void {
    list.current?.querySelector<HTMLElement>('section')?.focus({ preventScroll: true })
  }

  const types = useComputed(() => [...new Set(store.rows.value.map(({ type }) => type))].sort())
  const total = store.total.value
  const totalText =
    total === undefined
      ? undefined
      : total.isAtLeast
        ? messages.totalAtLeast(formatNumber(total.count))
        : messages.total(formatNumber(total.count))
  return (
    <div class={styles.page} data-detail={openId !== ''}>
      <PageHeader
        title={messages.title}
        meta={
          totalText !== undefined && (
            <span class={styles.total} data-testid="total">
              {totalText}
            </span>
          )
        }
      />
      <div class={styles.toolbar}>
        <AnomalyToolbar state={state} types={types.value} />
      </div>
      <div class={styles.panes}>
        <div class={styles.list} ref={list}>
          <AnomalyListPane
            key={spaceId}
            {...{ store, actions, mayWork, activeId, selected, setSelected }}
            isFiltered={location.search !== ''}
            onActive={goTo}
            onOpen={open}
          />
        </div>
        {openId !== '' && (
          <section
            class={styles.detail}
            aria-label={messages.detail}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
            tabIndex={0}
          >
            <AnomalyDetail
              id={openId}
              row={store.rows.value.find(({ id }) => id === openId)}
              actions={actions}
              commentAsks={commentAsks}
              drafts={drafts.current}
              onRow={row => {
                openRow.current = row
              }}
              onClose={() => setOpenId('')}
            />
          </section>
        )}
      </div>
      <TriageKeys
        {...{ store, actions, mayWork, activeId, selected, setSelected, goTo, open, close, focusList }}
        activeRow={() =>
          store.find(activeId) ?? (openRow.current?.id === activeId ? openRow.current : undefined)
        }
        askForComment={id => {
          open(id)
          setCommentAsks(count => count + 1)
        }}
      />
      <ConflictsDialog actions={actions} onOpen={open} />
    </div>
  )
}
