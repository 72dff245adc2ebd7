import type { PlaceToSave } from './place-dialog.tsx'
import type { Dragged } from './use-draggable.ts'
import type { FloorLine, FloorProcess } from './use-floor.ts'

/** What is open over the floor: a place to be made or renamed, or one to be deleted. */
export type OpenPlace =
  | { kind: 'save'; place: PlaceToSave }
  | { kind: 'delete'; place: { kind: 'line' | 'process'; id: string; name: string; version: number } }

/** What is done to a place of the floor. */
export interface FloorActions {
  readonly isManager: boolean
  open(open: OpenPlace): void
  /** Puts a line at a position, counted from 0. */
  moveLine(line: FloorLine, position: number): Promise<void>
  /** Puts a process at a position among all processes, on a line or on none. */
  moveProcess(process: FloorProcess, lineId: string | null, position: number): Promise<void>
  /** Takes what was dropped on a line or a process. */
  drop(dragged: Dragged, on: { line: FloorLine | null; process?: FloorProcess }): void
}
