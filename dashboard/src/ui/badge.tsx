import type { ComponentChildren } from 'preact'
import styles from './badge.module.css'
import { joinClasses } from './join-classes.ts'

export type BadgeTone = 'neutral' | 'accent' | 'good' | 'warning' | 'bad'

/** Short word about a thing. Its tone only underlines what its text says. */
export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ComponentChildren }) {
  return <span class={joinClasses(styles.badge, styles[tone])}>{children}</span>
}
