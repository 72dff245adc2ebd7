import type { Connection } from 'mysql2'

/** What mysql2 queues on a connection; text and prepared statements carry their SQL. */
interface QueuedCommand {
  sql?: string
  constructor: { name: string }
}

interface CommandQueue {
  addCommand?: (command: QueuedCommand) => unknown
}

/** The commands that run a statement. `Prepare` is left out: its `Execute` follows. */
const STATEMENT_COMMANDS = new Set(['Query', 'Execute'])

/**
 * Calls `onStatement` with each statement's text as it is queued on the connection. It stands where mysql2 queues
 * commands, below pools, promises and query builders, so nothing passes beside it.
 */
export function observeStatements(connection: Connection, onStatement: (sql: string) => void): void {
  const queue: CommandQueue = connection as unknown as CommandQueue
  const addCommand = queue.addCommand
  if (addCommand === undefined) throw new TypeError('mysql2 no longer queues its commands by addCommand')
  queue.addCommand = command => {
    if (STATEMENT_COMMANDS.has(command.constructor.name)) onStatement(command.sql ?? '')
    return addCommand.call(connection, command)
  }
}
