import type { ComponentChildren } from 'preact'
import { useSpace } from '../../app/space-context.ts'
import { Badge } from '../../ui/badge.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SeverityBadge } from '../../ui/severity-badge.tsx'
import styles from './feed-item-view.module.css'
import { messages } from './messages.ts'
import type { FeedItem } from './use-feed.ts'

/** One item of the feed: what happened, where and when, with the way there. */
export function FeedItemView({ item }: { item: FeedItem }) {
  const { id: spaceId, timezone } = useSpace()
  const { device } = item
  const base = device === null ? undefined : `/spaces/${device.space.id}`
  const { icon, tone, title, text, marks, href } = describe(item, base)
  const line = item.__typename === 'PresenceEvent' ? undefined : item.line?.name
  const isElsewhere = device !== null && device.space.id !== spaceId
  return (
    <article class={styles.item} data-kind={item.__typename}>
      <span class={styles.mark} data-tone={tone}>
        <Icon name={icon} />
      </span>
      <div class={styles.words}>
        <p class={styles.title}>
          {href === undefined ? title : <a href={href}>{title}</a>}
          {marks}
        </p>
        {text !== undefined && <p class={styles.text}>{text}</p>}
        <p class={styles.where}>
          {device === null ? (
            messages.removedDevice
          ) : (
            <a href={`${base}/devices/${device.id}`}>
              {device.code} · {device.name}
            </a>
          )}
          {line !== undefined && <span>{line}</span>}
          {isElsewhere && <Badge>{device.space.name}</Badge>}
        </p>
      </div>
      <span class={styles.time}>
        <RelativeTime at={item.occurredAt} timeZone={timezone} />
      </span>
    </article>
  )
}

interface Described {
  readonly icon: IconName
  readonly tone: string
  readonly title: string
  readonly text?: string | undefined
  readonly marks?: ComponentChildren
  readonly href?: string | undefined
}

function describe(item: FeedItem, base: string | undefined): Described {
  const deviceHref = base === undefined ? undefined : `${base}/devices/${item.device?.id}`
  switch (item.__typename) {
    case 'Anomaly':
      return {
        ...{ icon: 'alert', tone: item.severity, title: messages.raised(item.type) },
        text: item.anomalyMessage ?? undefined,
        href: base === undefined ? undefined : `${base}/anomalies?anomaly=${item.id}`,
        marks: (
          <>
            <SeverityBadge severity={item.severity} />
            {item.status !== 'OPEN' && (
              <Badge tone={item.status === 'RESOLVED' ? 'good' : 'accent'}>{messages[item.status]}</Badge>
            )}
          </>
        ),
      }
    case 'Log':
      return {
        ...{ icon: 'feed', tone: 'MAJOR', title: messages.logged, text: item.logMessage },
        href: deviceHref,
      }
    case 'PresenceEvent': {
      const isOffline = item.kind === 'OFFLINE'
      return {
        icon: isOffline ? 'wifiOff' : 'check',
        tone: 'none',
        title: isOffline ? messages.offline : messages.online,
        href: deviceHref,
      }
    }
  }
}
