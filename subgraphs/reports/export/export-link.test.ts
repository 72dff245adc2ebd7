import { describe, expect, it } from 'vitest'
import { newId } from '../../shared/uuid-v7.ts'
import { EXPORT_LINK_LIFETIME_MS, EXPORT_PREFIX, openExportLink, sealExportLink } from './export-link.ts'
import type { ExportRequest } from './export-request.ts'

const SECRET = 'a secret of the site, of 32 characters'
const REQUEST: ExportRequest = {
  kind: 'LOGS',
  userId: newId(),
  spaceId: newId(),
  from: 0,
  to: 1_000,
  deviceIds: null,
  lineId: null,
  processId: null,
  levels: ['ERROR'],
  severities: null,
  types: null,
  timezone: 'Asia/Seoul',
  bom: true,
  interval: 'DAY',
  groupBy: [],
}
const NOW = Date.now()
const tokenOf = (request: ExportRequest, secret = SECRET) =>
  sealExportLink(secret, request, NOW).path.slice(EXPORT_PREFIX.length)

describe('a link of an export', () => {
  it('carries the request, for five minutes at most', () => {
    const token = tokenOf(REQUEST)
    expect(openExportLink(SECRET, token, NOW + EXPORT_LINK_LIFETIME_MS - 1)).toEqual(REQUEST)
    expect(openExportLink(SECRET, token, NOW + EXPORT_LINK_LIFETIME_MS)).toBeNull()
    expect(sealExportLink(SECRET, REQUEST, NOW).expiresAt).toBe(NOW + EXPORT_LINK_LIFETIME_MS)
    expect(EXPORT_LINK_LIFETIME_MS).toBeLessThanOrEqual(5 * 60_000)
  })

  it('is refused with any one character changed, added or left out', () => {
    const token = tokenOf(REQUEST)
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'A' ? 'B' : 'A'
      expect(openExportLink(SECRET, token.slice(0, i) + other + token.slice(i + 1), NOW)).toBeNull()
      expect(openExportLink(SECRET, token.slice(0, i) + token.slice(i + 1), NOW)).toBeNull()
    }
    expect(openExportLink(SECRET, `${token}A`, NOW)).toBeNull()
  })

  it('of one space or person is none of another: bodies and signatures cannot be exchanged', () => {
    const [body = '', signature = ''] = tokenOf(REQUEST).split('.')
    const [other = '', otherSignature = ''] = tokenOf({ ...REQUEST, spaceId: newId() }).split('.')
    expect(openExportLink(SECRET, `${other}.${signature}`, NOW)).toBeNull()
    expect(openExportLink(SECRET, `${body}.${otherSignature}`, NOW)).toBeNull()
  })

  it('of another site, and what is no link, is refused', () => {
    expect(openExportLink(SECRET, tokenOf(REQUEST, 'the secret of another site, quite long'), NOW)).toBeNull()
    for (const token of ['', '.', 'a.b', 'a', '../x', `${'a'.repeat(20_000)}.b`])
      expect(openExportLink(SECRET, token, NOW)).toBeNull()
  })

  it('has room for the longest filter', () => {
    const ids = Array.from({ length: 100 }, newId)
    const types = Array.from({ length: 20 }, () => '한'.repeat(64))
    const request = { ...REQUEST, deviceIds: ids, types }
    expect(openExportLink(SECRET, tokenOf(request), NOW)).toEqual(request)
  })
})
