import type { PoolConnection } from 'mysql2/promise'
import type { StateItem } from '../../../schema/ingest-entry.ts'
import type { AnomalyChange } from '../../../schema/live-event.ts'
import { judgeAnomalies } from './anomaly-lifecycle.ts'
import { insertAnomalies, insertSteps, lockAnomalies, updateAnomalies } from './anomaly-rows.ts'
import type { BatchPlan, StatusChange } from './batch-plan.ts'
import { insertPresenceEvents } from './batch-statements.ts'
import { selectKnownDevices, upsertStatuses } from './device-status.ts'
import { addToRollups, countEvents } from './event-rollups.ts'
import { insertLogs, insertOccurrences, type Places } from './event-rows.ts'
import { gatherMetricMinutes, mergeMetricMinutes } from './metric-minutes.ts'
import { judgePresence, type PresenceOutcome } from './presence-episodes.ts'
import { chooseStateChanges, insertStateChanges } from './state-changes.ts'

/** What the rows of a batch were. */
export interface BatchRows {
  readonly anomalyChanges: readonly AnomalyChange[]
  readonly presence: PresenceOutcome
  readonly statuses: readonly StatusChange[]
  /** Rows inserted or merged, by table. */
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Writes all rows of a batch, in the same order of tables and keys whoever writes, so that writers wait for one another
 * and do not deadlock. The number of statements does not depend on the size of the batch, up to about 2 MiB a table.
 *
 * @param isWorthWriting Whether a device that has shown nothing but a sign of life is to be noted as seen.
 */
export async function writeBatchRows(
  connection: PoolConnection,
  plan: BatchPlan,
  places: Places,
  isWorthWriting: (status: StatusChange) => boolean,
): Promise<BatchRows> {
  // First what may turn out to be there already: then little is rolled back.
  await insertLogs(connection, plan.logs, places)
  const anomalies = judgeAnomalies(plan.anomalies, await lockAnomalies(connection, plan.anomalies), places)
  await insertOccurrences(connection, plan.anomalies, places, anomalies.anomalyIds)
  // In this order: what has ended makes room for another one of its kind.
  await updateAnomalies(connection, anomalies.changed)
  await insertAnomalies(connection, anomalies.opened)
  await insertSteps(connection, anomalies.steps)

  const states = plan.reports.filter((report): report is StateItem => report.kind === 'state')
  const known = await selectKnownDevices(connection, devicesOf([...plan.presence, ...states]))
  const presence = judgePresence(plan.presence, known)
  await insertPresenceEvents(connection, presence.events)
  const changes = chooseStateChanges(states, known)
  await insertStateChanges(connection, changes)
  const minutes = gatherMetricMinutes(states)
  await mergeMetricMinutes(connection, minutes)
  const statuses = [...plan.statuses.values()].filter(
    status =>
      status.state || status.connectivity || presence.changed.has(status.deviceId) || isWorthWriting(status),
  )
  await upsertStatuses(connection, statuses, presence.changed)

  // Last: some of these rows are shared by all writers of a space, and stay locked until the commit.
  const rollups = countEvents(plan, places)
  await addToRollups(connection, rollups)
  return {
    anomalyChanges: anomalies.changes,
    presence,
    statuses,
    counts: {
      log: plan.logs.length,
      anomaly_occurrence: plan.anomalies.length,
      anomaly: anomalies.changes.length,
      anomaly_comment: anomalies.steps.length,
      presence_event: presence.events.length,
      state_change: changes.length,
      metric_minute: minutes.length,
      device_status: statuses.length,
      log_rollup_fine: rollups.log_rollup_fine.length,
      log_rollup_coarse: rollups.log_rollup_coarse.length,
      anomaly_rollup_fine: rollups.anomaly_rollup_fine.length,
      anomaly_rollup_device: rollups.anomaly_rollup_device.length,
      anomaly_rollup_coarse: rollups.anomaly_rollup_coarse.length,
    },
  }
}

function devicesOf(items: readonly { readonly deviceId: string }[]): string[] {
  return [...new Set(items.map(({ deviceId }) => deviceId))]
}
