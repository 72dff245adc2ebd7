import {
  type EventFilterInput,
  isEmptyEventSelection,
  readEventSelection,
  requireId,
} from './event-selection.ts'

type PresenceKind = 'ONLINE' | 'OFFLINE'

/** Which presence events of a space are meant: those that meet every condition that is not null. */
export interface PresenceSelection {
  readonly spaceId: string
  readonly deviceIds: readonly string[] | null
  /** Where the device stands now. */
  readonly lineId: string | null
  readonly processId: string | null
  readonly kind: PresenceKind | null
  /** Ids from this on: the id is the clock. */
  readonly fromId: string | null
  /** Ids below this. */
  readonly toId: string | null
}

/** Reads the input `PresenceFilter` of the SDL. Throws BAD_USER_INPUT as readEventSelection does. */
export function readPresenceSelection(
  spaceId: string,
  filter: (EventFilterInput & { readonly kind?: PresenceKind | null | undefined }) | null | undefined,
): PresenceSelection {
  requireId('spaceId', spaceId)
  const { deviceIds, lineId, processId, fromId, toId } = readEventSelection(filter)
  return { spaceId, deviceIds, lineId, processId, fromId, toId, kind: filter?.kind ?? null }
}

/** Whether no event can meet the conditions, known without asking. */
export function isEmptyPresenceSelection(selection: PresenceSelection): boolean {
  return isEmptyEventSelection({ ...selection, text: null })
}
