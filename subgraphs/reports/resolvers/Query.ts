import { readAvailabilityReport, readPastRange } from '../availability-report.ts'
import { ANOMALIES, LOGS, readEventReport } from '../event-report.ts'
import type { Group } from '../group-columns.ts'
import { readReportRange, readTimeRange } from '../report-range.ts'
import { readZone, zoneOfSpace } from '../report-zone.ts'
import type { LogReportGroup, QueryResolvers } from '../resolver-types.generated.ts'
import { readResponseReport } from '../response-report.ts'

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
    const groups = (groupBy ?? []).map(toGroup)
    return readEventReport(db, LOGS, { ...request, timezone: zone, groupBy: groups })
  },

  async availabilityReport(_, { spaceId, from, to, groupBy, timezone }, { db, now, requireReader }) {
    const range = readPastRange(from, to, now)
    const asked = readZone(timezone)
    await requireReader(spaceId)
    const zone = asked ?? (await zoneOfSpace(db, spaceId))
    return readAvailabilityReport(db, { spaceId, range, timezone: zone, groupBy: groupBy ?? [] })
  },

  async responseReport(_, { groupBy, ...request }, { db, requireReader }) {
    readTimeRange(request.from, request.to)
    await requireReader(request.spaceId)
    return readResponseReport(db, { ...request, groupBy: groupBy ?? [] })
  },
}

function toGroup(group: LogReportGroup): Group {
  return group === 'LEVEL' ? 'SEVERITY' : group
}
