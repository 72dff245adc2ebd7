import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useSpace } from '../../app/space-context.ts'
import { request } from '../../graphql/session.ts'
import { useLive } from '../../graphql/use-live.ts'
import { useMutation } from '../../graphql/use-mutation.ts'
import { useQuery } from '../../graphql/use-query.ts'
import { formatNumber } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import {
  AddCommentDocument,
  type AnomalyCommentFragment,
  AnomalyDetailDocument,
  AnomalyUpdatedDocument,
} from './anomalies.generated.ts'
import type { AnomalyActions } from './anomaly-actions.ts'
import styles from './anomaly-detail.module.css'
import { AnomalyFacts } from './anomaly-facts.tsx'
import { AnomalyHead } from './anomaly-head.tsx'
import { AnomalyHistory } from './anomaly-history.tsx'
import type { AnomalyRow } from './anomaly-store.ts'
import { ClipPlayer } from './clip-player.tsx'
import { CommentComposer } from './comment-composer.tsx'
import { messages } from './messages.ts'

/** Everything of an anomaly, live. */
export function AnomalyDetail({
  id,
  row,
  actions,
  commentAsks,
  drafts,
  onRow,
  onClose,
}: {
  id: string
  /** What the list knows of it. */
  row: AnomalyRow | undefined
  /** Undefined for who may only look. */
  actions: AnomalyActions
  /** Rises each time that somebody wants to write a comment. */
  commentAsks: number
  /** What was written and not sent, by the anomaly. */
  drafts: Map<string, string>
  /** Told each state of it. */
  onRow: (row: AnomalyRow) => void
  onClose: () => void
}) {
  const { id: spaceId, viewerRole } = useSpace()
  const detail = useQuery(AnomalyDetailDocument, { id, before: null })
  const loaded = detail.data?.anomaly?.id === id ? detail.data.anomaly : undefined
  const [told, setTold] = useState<AnomalyRow>()
  const [older, setOlder] = useState<OlderComments>()
  const now = newest([row, loaded, told?.id === id ? told : undefined])
  const deviceId = now?.device?.id
  useLive(
    AnomalyUpdatedDocument,
    deviceId === undefined ? null : { spaceId, filter: { deviceIds: [deviceId] } },
    {
      onEvent: ({ anomalyUpdated }) => {
        if (anomalyUpdated.id !== id) return
        setTold(anomalyUpdated)
        // What was said raises no version.
        void detail.reload()
      },
      onLoad: () => void detail.reload(),
    },
  )
  useEffect(() => {
    if (now === undefined) return
    onRow(now)
    if (loaded !== undefined && now.version > loaded.version) void detail.reload()
  }, [now?.id, now?.version, loaded?.version])

  const add = useMutation(AddCommentDocument)
  const mayWrite = viewerRole !== 'VIEWER' && viewerRole !== null
  const mayModerate = viewerRole === 'OWNER' || viewerRole === 'ADMIN'
  const known = loaded?.comments
  const comments = useMemo(
    () => mergeComments(older?.id === id ? older.comments : [], known?.nodes ?? []),
    [older, known, id],
  )
  const before =
    older?.id === id ? older.before : known?.pageInfo.hasPreviousPage ? known.pageInfo.startCursor : null
  const heading = useRef<HTMLDivElement>(null)
  useEffect(() => {
    heading.current?.closest('section')?.scrollTo(0, 0)
  }, [id])

  async function loadOlder(): Promise<void> {
    try {
      const { data } = await request(AnomalyDetailDocument, { id, before })
      const page = data.anomaly?.comments
      if (page === undefined) return
      setOlder({
        id,
        comments: mergeComments(page.nodes, comments),
        before: page.pageInfo.hasPreviousPage ? page.pageInfo.startCursor : null,
      })
    } catch {
      showToast('error', messages.failed)
    }
  }

  async function send(body: string): Promise<boolean> {
    const answer = await add.run({ input: { anomalyId: id, body } })
    if (answer !== null) await detail.reload()
    return answer !== null
  }

  if (now === undefined) {
    if (detail.isLoading) return <Skeleton rows={6} height={40} />
    if (detail.error !== undefined && detail.error.code !== 'NOT_FOUND')
      return <ErrorState text={detail.error.text} onRetry={() => void detail.reload()} />
    return (
      <EmptyState
        icon="search"
        title={messages.notFoundTitle}
        text={messages.notFoundText}
        action={<Button onClick={onClose}>{messages.close}</Button>}
      />
    )
  }
  return (
    <div class={styles.detail} ref={heading}>
      <AnomalyHead
        row={now}
        pending={actions.pending.value.get(id)}
        note={actions.notes.value.get(id)}
        actions={mayWrite ? actions : undefined}
        onClose={onClose}
      />
      <p class={styles.message}>{now.message ?? messages.noMessage}</p>
      {loaded !== undefined && loaded.clips.length > 0 && (
        <section aria-label={messages.clips}>
          <ClipPlayer key={id} anomalyId={id} clips={loaded.clips} />
        </section>
      )}
      <AnomalyFacts row={now} detail={loaded} />
      {loaded === undefined ? (
        detail.error === undefined ? (
          <Skeleton rows={3} height={40} />
        ) : (
          <ErrorState text={detail.error.text} onRetry={() => void detail.reload()} />
        )
      ) : (
        <section class={styles.part}>
          <h3>
            {messages.history} <span class={styles.count}>{formatNumber(comments.length)}</span>
          </h3>
          {before !== null && before !== undefined && (
            <Button size="small" variant="ghost" onClick={() => void loadOlder()}>
              {messages.olderHistory}
            </Button>
          )}
          <AnomalyHistory
            comments={comments}
            mayWrite={mayWrite}
            mayModerate={mayModerate}
            onChanged={() => {
              setOlder(undefined)
              void detail.reload()
            }}
          />
          {mayWrite && (
            <CommentComposer
              key={id}
              draft={drafts.get(id) ?? ''}
              onDraft={text => drafts.set(id, text)}
              asks={commentAsks}
              isBusy={add.isRunning}
              problem={add.userErrors[0]?.message ?? add.error?.text}
              onSend={send}
              onResolve={now.status === 'RESOLVED' ? undefined : body => actions.resolve(now, body)}
            />
          )}
        </section>
      )}
    </div>
  )
}

interface OlderComments {
  readonly id: string
  readonly comments: readonly AnomalyCommentFragment[]
  readonly before: string | null
}

function newest<Row extends { version: number }>(rows: readonly (Row | undefined)[]): Row | undefined {
  return rows.reduce((best, row) => (row !== undefined && row.version >= (best?.version ?? 0) ? row : best))
}

/** The later of two states of a comment stands; ids are in the order of comments. */
function mergeComments(
  first: readonly AnomalyCommentFragment[],
  second: readonly AnomalyCommentFragment[],
): readonly AnomalyCommentFragment[] {
  const all = new Map([...first, ...second].map(comment => [comment.id, comment]))
  return [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}
