import { language } from './language.ts'

const LOCALES = { ko: 'ko-KR', en: 'en-GB' } as const

type Moment = Date | string | number

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>()

/** From here on a number is written with an exponent: its digits would fill the page, and are not exact. */
const HUGE = 1e15

/** Number with grouping, by default at most two fraction digits. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  if (Math.abs(value) >= HUGE) return formatHuge(value)
  return numberFormat({ maximumFractionDigits: 2, ...options }).format(value)
}

/** Short count for tight places: 1,234 → 1.2K (en), 1.2천 (ko). */
export function formatCompact(value: number): string {
  if (Math.abs(value) >= HUGE) return formatHuge(value)
  return numberFormat({ notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** Share from 0 to 1 as percent, by default with at most one fraction digit. */
export function formatPercent(share: number, maximumFractionDigits = 1): string {
  return numberFormat({ style: 'percent', maximumFractionDigits }).format(share)
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Bytes in decimal units: 1,500,000 → 1.5 MB. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${formatNumber(bytes / 1000 ** power, { maximumFractionDigits: 1 })} ${BYTE_UNITS[power]}`
}

const DURATION_UNITS = {
  ko: { d: '일', h: '시간', m: '분', s: '초', ms: 'ms' },
  en: { d: ' d', h: ' h', m: ' min', s: ' s', ms: ' ms' },
} as const

/** Duration in its two largest units: 3,723,000 ms → 1 h 2 min, 1시간 2분. */
export function formatDuration(milliseconds: number): string {
  const units = DURATION_UNITS[language.value]
  const size = Math.abs(milliseconds)
  const sign = milliseconds < 0 ? '−' : ''
  if (size < 1000) return `${sign}${Math.round(size)}${units.ms}`
  const seconds = Math.round(size / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), units.d],
    [Math.floor((seconds % 86_400) / 3600), units.h],
    [Math.floor((seconds % 3600) / 60), units.m],
    [seconds % 60, units.s],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  const text = parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ')
  return sign + text
}

/** Date and time to the minute in an IANA zone, by default the browser's. */
export function formatDateTime(moment: Moment, timeZone?: string): string {
  return dateFormat({
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(new Date(moment))
}

/** Date alone in an IANA zone, by default the browser's. */
export function formatDate(moment: Moment, timeZone?: string): string {
  return dateFormat({ year: 'numeric', month: 'short', day: 'numeric', timeZone }).format(new Date(moment))
}

/** Time of day to the second in an IANA zone, by default the browser's. */
export function formatTime(moment: Moment, timeZone?: string): string {
  return dateFormat({
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(new Date(moment))
}

/** How long ago (or ahead) a moment is, in one unit: 5 minutes ago, 5분 전. Below 5 s it is now. */
export function formatRelative(moment: Moment, now: number): string {
  const seconds = Math.round((new Date(moment).getTime() - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 5) return relativeFormat().format(0, 'second')
  if (size < 60) return relativeFormat().format(seconds, 'second')
  if (size < 3600) return relativeFormat().format(Math.trunc(seconds / 60), 'minute')
  if (size < 86_400) return relativeFormat().format(Math.trunc(seconds / 3600), 'hour')
  return relativeFormat().format(Math.trunc(seconds / 86_400), 'day')
}

function formatHuge(value: number): string {
  return numberFormat({ notation: 'scientific', maximumFractionDigits: 2 }).format(value)
}

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept('number', options, locale => new Intl.NumberFormat(locale, options))
}

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept('date', options, locale => new Intl.DateTimeFormat(locale, options))
}

function relativeFormat(): Intl.RelativeTimeFormat {
  return kept('relative', {}, locale => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
}

function kept<T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  kind: string,
  options: object,
  create: (locale: string) => T,
): T {
  const locale = LOCALES[language.value]
  const key = `${kind} ${locale} ${JSON.stringify(options)}`
  const found = formats.get(key) as T | undefined
  if (found !== undefined) return found
  const made = create(locale)
  formats.set(key, made)
  return made
}
