import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { useShortcut } from '../ui/shortcuts.ts'
import type { ConnectionState } from './connection.ts'
import { ConnectionBadge } from './connection-badge.tsx'
import { messages } from './messages.ts'
import { Preferences } from './preferences.tsx'
import { currentPath, navigate } from './router.ts'
import styles from './shell.module.css'
import type { CurrentSpace } from './space-context.ts'

export type ShellProps = {
  viewer: { name: string; email: string }
  space: CurrentSpace
  spaces: readonly { id: string; name: string }[]
  connection: ReadonlySignal<ConnectionState>
  onSignOut: () => void
  children: ComponentChildren
}

/** Frame of the pages of a space: where one can go, which space, whether it is live, and the page itself. */
export function Shell({ viewer, space, spaces, connection, onSignOut, children }: ShellProps) {
  const path = currentPath.value
  const base = `/spaces/${encodeURIComponent(space.id)}`
  const links: { name: string; icon: IconName; label: string; covers?: string }[] = [
    { name: 'board', icon: 'board', label: messages.board, covers: `${base}/devices/` },
    { name: 'anomalies', icon: 'alert', label: messages.anomalies },
    { name: 'feed', icon: 'bell', label: messages.feed },
    { name: 'reports', icon: 'report', label: messages.reports },
    { name: 'settings', icon: 'settings', label: messages.settings },
  ]
  useShortcut('1', messages.goBoard, () => navigate(`${base}/board`))
  useShortcut('2', messages.goAnomalies, () => navigate(`${base}/anomalies`))
  useShortcut('3', messages.goFeed, () => navigate(`${base}/feed`))
  useShortcut('4', messages.goReports, () => navigate(`${base}/reports`))

  return (
    <div class={styles.shell}>
      <a class={styles.skip} href="#content">
        {messages.skip}
      </a>
      <header class={styles.side}>
        <div class={styles.top}>
          <span class={styles.brand}>
            <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
              <rect width="22" height="22" rx="6" class={styles.logo} />
              <path d="M6.5 15.5v-9l9 9v-9" class={styles.letter} />
            </svg>
            <span class={styles.word}>NUVION</span>
          </span>
          <Menu
            label={messages.space(space.name)}
            triggerClass={styles.space}
            trigger={
              <>
                <span class={styles.spaceName}>{space.name}</span>
                <Icon name="chevronsUpDown" size={14} />
              </>
            }
            items={[
              ...spaces.map(({ id, name }) => ({
                key: id,
                label: name,
                isChecked: id === space.id,
                onPress: () => navigate(`/spaces/${encodeURIComponent(id)}/board`),
              })),
              {
                key: 'new',
                label: messages.newSpace,
                icon: 'plus' as const,
                startsGroup: true,
                onPress: () => navigate('/welcome'),
              },
            ]}
          />
        </div>
        <nav class={styles.nav} aria-label={messages.navigation}>
          {links.map(({ name, icon, label, covers }) => {
            const href = `${base}/${name}`
            const isHere = path === href || (covers !== undefined && path.startsWith(covers))
            return (
              <a key={name} href={href} class={styles.link} aria-current={isHere ? 'page' : undefined}>
                <Icon name={icon} />
                <span>{label}</span>
              </a>
            )
          })}
        </nav>
        <div class={styles.foot}>
          <ConnectionBadge connection={connection} />
          <div class={styles.tools}>
            <Menu
              label={messages.account(viewer.name)}
              opens="up"
              triggerClass={styles.account}
              trigger={
                <>
                  <span
                    class={styles.avatar}
                    aria-hidden="true"
                    data-letter={[...viewer.name][0]?.toUpperCase()}
                  />
                  <span class={styles.viewer}>{viewer.name}</span>
                </>
              }
              items={[
                {
                  key: 'kiosk',
                  label: messages.kiosk,
                  icon: 'monitor',
                  onPress: () => navigate(`${base}/kiosk`),
                },
                {
                  key: 'out',
                  label: messages.signOut,
                  icon: 'signOut',
                  hint: viewer.email,
                  startsGroup: true,
                  onPress: onSignOut,
                },
              ]}
            />
            <Preferences />
          </div>
        </div>
      </header>
      <main id="content" class={styles.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
