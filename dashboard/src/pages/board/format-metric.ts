import { formatNumber } from '../../i18n/format.ts'

/** The first number that a device has reported, with its name: `41.2 temperature`. Empty without one. */
export function formatMetric(metrics: Readonly<Record<string, unknown>> | null): string {
  for (const [name, value] of Object.entries(metrics ?? {}))
    if (typeof value === 'number') return `${formatNumber(value, { maximumFractionDigits: 1 })} ${name}`
  return ''
}
