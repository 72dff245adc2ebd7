import type { Socket } from 'node:net'
import type { Connection } from 'mysql2'
import type { StatementCommand } from './connection-commands.ts'

/**
 * Breaks the connection when its statement has not ended within the deadline: the statement's own `timeout`, else
 * `deadlineMs`. mysql2's timeout rejects the caller but leaves the connection waiting for the answer, and a pool of
 * such connections is empty for ever; broken ones are replaced. The server may still finish the statement.
 */
export function enforceDeadline(connection: Connection, command: StatementCommand, deadlineMs: number): void {
  const limitMs = command.timeout ?? deadlineMs
  command.timeout = undefined
  const timer = setTimeout(() => breakConnection(connection, limitMs), limitMs)
  timer.unref()
  command.once('end', () => clearTimeout(timer))
}

function breakConnection(connection: Connection, limitMs: number): void {
  const { stream } = connection as unknown as { stream: Socket }
  const error = new Error(`The database did not answer a statement within ${limitMs} ms`)
  stream.destroy(Object.assign(error, { code: 'PROTOCOL_SEQUENCE_TIMEOUT' }))
}
