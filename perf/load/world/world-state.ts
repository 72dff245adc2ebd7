import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What a perf world consists of, as far as it has been made. It is kept in a file, so that an abort leaves nothing behind. */
export interface WorldState {
  /** Part of all its names. */
  readonly tag: string
  people: Person[]
  spaceId: string | null
  lines: Place[]
  processes: Place[]
  devices: WorldDevice[]
  /** Logs that were written before anybody measures; null while none are. */
  prefill: { from: string; to: string; logs: number; isDone: boolean } | null
}

/** A person of the world; the first one owns the space. */
export interface Person {
  readonly email: string
  readonly password: string
  isVerified: boolean
  isMember: boolean
}

export interface Place {
  readonly id: string
  readonly name: string
}

/** A device, and what it connects with. */
export interface WorldDevice {
  readonly deviceId: string
  readonly credential: string
  readonly code: string
  readonly lineId: string
  readonly processId: string
}

/** A world in its file. */
export interface WorldFile {
  readonly file: string
  readonly state: WorldState
  /** Writes the state; what was there before is replaced whole. */
  save(): void
  /** Forgets the world. */
  remove(): void
}

/** Reads the world that a file remembers, or begins a new one of that tag. */
export function openWorldFile(file: string, tag: string): WorldFile {
  const state = readState(file) ?? {
    ...{ tag, people: [], spaceId: null, lines: [], processes: [], devices: [], prefill: null },
  }
  return {
    file,
    state,
    save() {
      mkdirSync(dirname(file), { recursive: true })
      const draft = `${file}.draft`
      // Passwords and credentials are in it.
      writeFileSync(draft, JSON.stringify(state, null, 1), { mode: 0o600 })
      renameSync(draft, file)
    },
    remove: () => rmSync(file, { force: true }),
  }
}

function readState(file: string): WorldState | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as WorldState
  } catch {
    return null
  }
}
