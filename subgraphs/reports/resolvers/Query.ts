import { readAvailabilityReport, readPastRange } from '../availability-report.ts'
import { ANOMALIES, LOGS, readEventReport } from '../event-report.ts'
import type { Group } from '../group-columns.ts'
import { readReportRange, readTimeRange } from '../report-range.ts'
import { readZone, zoneOfSpace } from '../report-zone.ts'
import type { LogReportGroup, QueryResolvers } from '../resolver-types.generated.ts'
import { readResponseReport } from '../response-report.ts'

export const Query: QueryResolvers = {
  async anomalyReport(_, { groupBy, timezone, ...request }, { db, lane, requireReader }) {
    readReportRange(request.interval, request.from, request.to)
    const asked = readZone(timezone)
    await requireReader(request.spaceId)
    const zone = asked ?? (await zoneOfSpace(db, request.spaceId))
    const report = { ...request, timezone: zone, groupBy: groupBy ?? [] }
    return lane(() => readEventReport(db, ANOMALIES, report))
  },

  async logReport(_, { groupBy, timezone, ...request }, { db, lane, requireReader }) {
    readReportRange(request.interval, request.from, request.to)
    const asked = readZone(timezone)
    await requireReader(request.spaceId)
    const zone = asked ?? (await zoneOfSpace(db, request.spaceId))
    const groups = (groupBy ?? []).map(toGroup)
    return lane(() => readEventReport(db, LOGS, { ...request, timezone: zone, groupBy: groups }))
  },

  async availabilityReport(_, { spaceId, from, to, groupBy, timezone }, { db, lane, now, requireReader }) {
    const range = readPastRange(from, to, now)
    const asked = readZone(timezone)
    await requireReader(spaceId)
    const zone = asked ?? (await zoneOfSpace(db, spaceId))
    const report = { spaceId, range, timezone: zone, groupBy: groupBy ?? [] }
    return lane(() => readAvailabilityReport(db, report))
  },

  async responseReport(_, { groupBy, ...request }, { db, lane, requireReader }) {
    readTimeRange(request.from, request.to)
    await requireReader(request.spaceId)
    return lane(() => readResponseReport(db, { ...request, groupBy: groupBy ?? [] }))
  },
}

function toGroup(group: LogReportGroup): Group {
  return group === 'LEVEL' ? 'SEVERITY' : group
}
