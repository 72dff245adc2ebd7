import type { DeviceStatus } from './resolver-types.generated.ts'

/** A list of devices that have not been removed. */
export interface DeviceList {
  /** Whose devices. */
  readonly of: 'space' | 'line' | 'process'
  readonly id: string
  /** The space of all of them. */
  readonly spaceId: string
  /** Only those that match; null matches all. */
  readonly lineId: string | null
  readonly processId: string | null
  readonly online: boolean | null
  readonly broadcasting: boolean | null
  readonly status: DeviceStatus | null
  /** Text in the code, the name or the model, in any case. */
  readonly search: string | null
}

/** A piece of a list, in the order in which it is walked. */
export interface DeviceListRequest {
  readonly list: DeviceList
  readonly order: 'CODE' | 'NAME' | 'CREATED_AT' | 'LAST_SEEN_AT'
  /** Walks from the end of the order. */
  readonly isDescending: boolean
  /**
   * Only devices behind this one, itself left out; null from the beginning on. The code; name and id; id; or last sign
   * in epoch milliseconds (0: none) and id.
   */
  readonly after: readonly (string | number)[] | null
  readonly limit: number
}

/** Whether a list holds the same devices until the topology changes, whatever they report. */
export function dependsOnTopologyAlone({ online, broadcasting, status, search }: DeviceList): boolean {
  // A search does too, but hardly anybody searches for the same thing again.
  return online === null && broadcasting === null && status === null && search === null
}
