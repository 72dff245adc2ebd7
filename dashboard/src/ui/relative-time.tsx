import { computed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { formatDateTime, formatRelative, formatTime } from '../i18n/format.ts'
import { now } from './clock.ts'

/** How long ago a moment (ISO text or ms) is; its title says when, in an IANA zone. Renders anew only when its text changes. */
export function RelativeTime({ at, timeZone }: { at: string | number; timeZone?: string }) {
  const text = useMemo(() => computed(() => formatRelative(at, now.value)), [at])
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={`${formatDateTime(at, timeZone)} (${formatTime(at, timeZone)})`}
    >
      {text.value}
    </time>
  )
}
