import { ANOMALIES, type EventGroup, LOGS, readEventReport } from '../event-report.ts'
import { readReportRange } from '../report-range.ts'
import { readZone, zoneOfSpace } from '../report-zone.ts'
import type { LogReportGroup, QueryResolvers } from '../resolver-types.generated.ts'

export const Query: QueryResolvers = {
  async anomalyReport(_, { groupBy, timezone, ...request }, { db, requireReader }) {
    readReportRange(request.interval, request.from, request.to)
    const asked = readZone(timezone)
    await requireReader(request.spaceId)
    const zone = asked ?? (await zoneOfSpace(db, request.spaceId))
    return readEventReport(db, ANOMALIES, { ...request, timezone: zone, groupBy: groupBy ?? [] })
  },

  async logReport(_, { groupBy, timezone, ...request }, { db, requireReader }) {
    readReportRange(request.interval, request.from, request.to)
    const asked = readZone(timezone)
    await requireReader(request.spaceId)
    const zone = asked ?? (await zoneOfSpace(db, request.spaceId))
    const groups = (groupBy ?? []).map(toEventGroup)
    return readEventReport(db, LOGS, { ...request, timezone: zone, groupBy: groups })
  },
}

function toEventGroup(group: LogReportGroup): EventGroup {
  return group === 'LEVEL' ? 'SEVERITY' : group
}
