import { device, line, process } from '../../schema/mysql/device-tables.ts'
import { and, eq, isNotNull, isNull, or, sql } from '../../schema/mysql/drizzle.ts'
import type { Db } from '../shared/mysql/open-mysql.ts'
import type { LineParent, ProcessParent } from './model.ts'

/** Writes lines as they are given: adds those that are new. */
export async function upsertLines(tx: Db, rows: readonly LineParent[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insert(line)
    .values([...rows])
    .onDuplicateKeyUpdate({ set: newValues('name', 'position', 'version', 'removed') })
}

/** Writes processes as they are given: adds those that are new. */
export async function upsertProcesses(tx: Db, rows: readonly ProcessParent[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insert(process)
    .values([...rows])
    .onDuplicateKeyUpdate({
      set: { ...newValues('name', 'position', 'version', 'removed'), lineId: newValue('line_id') },
    })
}

/** Counts the devices of a line that have not been removed. */
export async function countDevicesOfLine(tx: Db, lineId: string): Promise<number> {
  return tx.$count(device, and(eq(device.lineId, lineId), isNotNull(device.liveCode)))
}

/** Counts the devices of a process that have not been removed. */
export async function countDevicesOfProcess(tx: Db, processId: string): Promise<number> {
  return tx.$count(device, and(eq(device.processId, processId), isNotNull(device.liveCode)))
}

/** Moves the devices of a line that have not been removed to another. */
export async function moveDevicesOfLine(tx: Db, lineId: string, toLineId: string): Promise<void> {
  await tx
    .update(device)
    .set({ lineId: toLineId, version: sql`${device.version} + 1` })
    .where(and(eq(device.lineId, lineId), isNotNull(device.liveCode)))
}

/** Moves the devices of a process that have not been removed to another, and to its line when it has one. */
export async function moveDevicesOfProcess(
  tx: Db,
  processId: string,
  to: Pick<ProcessParent, 'id' | 'lineId'>,
): Promise<void> {
  const place = to.lineId === null ? { processId: to.id } : { processId: to.id, lineId: to.lineId }
  await tx
    .update(device)
    .set({ ...place, version: sql`${device.version} + 1` })
    .where(and(eq(device.processId, processId), isNotNull(device.liveCode)))
}

/** Puts the devices of a process that have not been removed on a line; those that are there already stay as they are. */
export async function putDevicesOfProcessOnLine(tx: Db, processId: string, lineId: string): Promise<void> {
  const isElsewhere = or(isNull(device.lineId), sql`${device.lineId} <> ${lineId}`)
  await tx
    .update(device)
    .set({ lineId, version: sql`${device.version} + 1` })
    .where(and(eq(device.processId, processId), isNotNull(device.liveCode), isElsewhere))
}

function newValue(column: string) {
  return sql.raw(`VALUES(${column})`)
}

function newValues<Column extends string>(...columns: Column[]) {
  return Object.fromEntries(columns.map(column => [column, newValue(column)])) as Record<
    Column,
    ReturnType<typeof newValue>
  >
}
