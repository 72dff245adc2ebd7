import type { EventEmitter } from 'node:events'
import type { Connection } from 'mysql2'

/** A statement as mysql2 queues it on a connection: as text, or prepared. Emits `end` when it is done or refused. */
export interface StatementCommand extends EventEmitter {
  sql?: string
  timeout?: number
}

interface CommandQueue {
  addCommand?: (command: EventEmitter) => unknown
}

/** The commands that run a statement. `Prepare` is left out: its `Execute` follows. */
const STATEMENT_COMMANDS = new Set(['Query', 'Execute'])

/**
 * Calls `onStatement` with each statement as it is queued on the connection. It stands where mysql2 queues commands,
 * below pools, promises and query builders, so that nothing passes beside it.
 */
export function observeStatements(
  connection: Connection,
  onStatement: (command: StatementCommand) => void,
): void {
  const queue = connection as unknown as CommandQueue
  const addCommand = queue.addCommand
  if (addCommand === undefined) throw new TypeError('mysql2 no longer queues its commands by addCommand')
  queue.addCommand = command => {
    if (STATEMENT_COMMANDS.has(command.constructor.name)) onStatement(command)
    return addCommand.call(connection, command)
  }
}
