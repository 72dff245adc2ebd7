import { messages } from './messages.ts'

/** Most devices that are registered at once. */
export const MOST_DEVICES = 500

/** A device of a pasted list. */
export interface ListedDevice {
  readonly code: string
  readonly name: string
  readonly model: string | null
  readonly lineId: string | null
  readonly processId: string | null
}

interface Place {
  readonly id: string
  readonly name: string
}

/**
 * Reads a list as it is pasted from a spreadsheet: a device a row, `code, name, model, line, process`, divided by tabs if
 * there are any in the row, else by commas. Lines and processes are named, in any case. Answers what is wrong, by row.
 */
export function parseDevices(
  text: string,
  floor: {
    readonly lines: readonly Place[]
    readonly processes: readonly (Place & { readonly line: { readonly id: string } | null })[]
  },
): { readonly devices: readonly ListedDevice[]; readonly problems: readonly string[] } {
  const devices: ListedDevice[] = []
  const problems: string[] = []
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    if (row.trim() === '') continue
    const cells = row.split(row.includes('\t') ? '\t' : ',').map(cell => cell.trim())
    const [code = '', name = '', model = '', lineName = '', processName = ''] = cells
    const line = findPlace(floor.lines, lineName)
    const process = findPlace(
      floor.processes.filter(one => line == null || one.line === null || one.line.id === line.id),
      processName,
    )
    if (code === '' || name === '') problems.push(messages.manyMissing(index + 1))
    if (line === undefined) problems.push(messages.manyUnknownLine(index + 1, lineName))
    if (process === undefined) problems.push(messages.manyUnknownProcess(index + 1, processName))
    devices.push({
      ...{ code, name, model: model === '' ? null : model },
      ...{ lineId: line?.id ?? null, processId: process?.id ?? null },
    })
  }
  if (devices.length > MOST_DEVICES) problems.push(messages.manyTooMany)
  return { devices, problems }
}

/** Null where none is named, undefined where there is none of that name. */
function findPlace<P extends Place>(places: readonly P[], name: string): P | null | undefined {
  if (name === '') return null
  return places.find(place => place.name.toLowerCase() === name.toLowerCase())
}
