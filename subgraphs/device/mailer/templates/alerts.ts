import { z } from 'zod'
import { SEVERITIES } from '../../../../schema/severity.ts'
import type { MailLocale } from '../../../shared/mail/mail-outbox.ts'
import { toOneLine } from '../one-line.ts'
import { homeLink } from './site-link.ts'
import { link, type MailContent, type MailSite, type MailTemplate, paragraph } from './template.ts'

const SEVERITY_WORDS = {
  ko: { INFO: '정보', MINOR: '경미', MAJOR: '중대', CRITICAL: '심각' },
  en: { INFO: 'info', MINOR: 'minor', MAJOR: 'major', CRITICAL: 'critical' },
} as const

/** What people or devices have typed: one line, and no longer than can be read. */
const line = (maxLength: number) =>
  z
    .string()
    .min(1)
    .transform(text => toOneLine(text, maxLength))

const item = z.object({
  kind: z.enum(['ANOMALY', 'OFFLINE']),
  deviceName: line(60),
  occurredAt: z.iso.datetime({ offset: true }).transform(text => new Date(text)),
  severity: z.enum(SEVERITIES).optional(),
  type: line(64).optional(),
  message: line(500).optional(),
})

const scope = z.object({
  spaceName: line(60),
  timezone: z.string().max(64),
  unsubscribeToken: z.string().regex(/^[\w.~-]{16,512}$/),
})

const alertParams = scope.extend(item.shape)
const digestParams = scope.extend({ total: z.int().min(1), items: z.array(item).min(1).max(50) })

type Item = z.infer<typeof item>
type Scope = z.infer<typeof scope>

/** Tells of one anomaly, or of a device that has been offline for as long as its recipient waits. */
export const alertMail: MailTemplate<z.infer<typeof alertParams>> = {
  params: alertParams,
  write: {
    ko: (params, site) => {
      const { spaceName, deviceName, message } = params
      const subject =
        params.kind === 'OFFLINE'
          ? `[NUVION] ‘${deviceName}’ 장치 오프라인 안내`
          : `[NUVION] ${severityOf(params, 'ko')} 이상: ${params.type ?? '-'} — ‘${deviceName}’ 안내`
      return {
        subject,
        blocks: [
          paragraph(`‘${spaceName}’ 스페이스에서 알려 드립니다.`),
          paragraph(describe(params, params.timezone, 'ko')),
          ...(message === undefined ? [] : [paragraph(message)]),
          link('NUVION 열기', homeLink(site)),
        ],
        ...unsubscribe(params, site),
      }
    },
    en: (params, site) => {
      const { spaceName, deviceName, message } = params
      const subject =
        params.kind === 'OFFLINE'
          ? `[NUVION] “${deviceName}” is offline`
          : `[NUVION] ${severityOf(params, 'en')} anomaly ${params.type ?? '-'} on “${deviceName}”`
      return {
        subject,
        blocks: [
          paragraph(`This is from the space “${spaceName}”.`),
          paragraph(describe(params, params.timezone, 'en')),
          ...(message === undefined ? [] : [paragraph(message)]),
          link('Open NUVION', homeLink(site)),
        ],
        ...unsubscribe(params, site),
      }
    },
  },
}

/** Tells of several things together: what was held in quiet hours, for an hour or a day, or because it was so much. */
export const alertDigest: MailTemplate<z.infer<typeof digestParams>> = {
  params: digestParams,
  write: {
    ko: (params, site) => ({
      subject: `[NUVION] ‘${params.spaceName}’ 알림 ${params.total}건 안내`,
      blocks: [
        paragraph(`‘${params.spaceName}’ 스페이스의 알림 ${params.total}건을 모아 알려 드립니다.`),
        ...params.items.map(item => paragraph(describe(item, params.timezone, 'ko'))),
        ...(params.total > params.items.length
          ? [paragraph(`그 밖에 ${params.total - params.items.length}건이 더 있습니다.`)]
          : []),
        link('NUVION 열기', homeLink(site)),
      ],
      ...unsubscribe(params, site),
    }),
    en: (params, site) => ({
      subject: `[NUVION] ${params.total} ${params.total === 1 ? 'alert' : 'alerts'} of “${params.spaceName}”`,
      blocks: [
        paragraph(`These are alerts of the space “${params.spaceName}”, ${params.total} in all.`),
        ...params.items.map(item => paragraph(describe(item, params.timezone, 'en'))),
        ...(params.total > params.items.length
          ? [paragraph(`And ${params.total - params.items.length} more.`)]
          : []),
        link('Open NUVION', homeLink(site)),
      ],
      ...unsubscribe(params, site),
    }),
  },
}

function describe(item: Item, timezone: string, locale: MailLocale): string {
  const moment = formatMoment(item.occurredAt, timezone, locale)
  const { deviceName, type = '-' } = item
  if (locale === 'ko')
    return item.kind === 'OFFLINE'
      ? `${moment}부터 ‘${deviceName}’ 장치가 오프라인입니다.`
      : `${moment}, ‘${deviceName}’ 장치: ${type} (${severityOf(item, 'ko')})`
  return item.kind === 'OFFLINE'
    ? `${moment}: “${deviceName}” has been offline since.`
    : `${moment}: ${type} (${severityOf(item, 'en')}) on “${deviceName}”.`
}

function severityOf({ severity = 'INFO' }: Item, locale: MailLocale): string {
  return SEVERITY_WORDS[locale][severity]
}

function formatMoment(moment: Date, timezone: string, locale: MailLocale): string {
  const timeZone = isKnownZone(timezone) ? timezone : 'UTC'
  return new Intl.DateTimeFormat(locale === 'ko' ? 'ko-KR' : 'en-GB', {
    ...{ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ timeZone, timeZoneName: 'short' },
  }).format(moment)
}

function isKnownZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

function unsubscribe(
  { unsubscribeToken }: Scope,
  { publicUrl }: MailSite,
): Pick<Required<MailContent>, 'unsubscribeUrl'> {
  return { unsubscribeUrl: new URL(`/unsubscribe/${unsubscribeToken}`, publicUrl).href }
}
