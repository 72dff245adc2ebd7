import type { Redis } from 'ioredis'
import { AppError } from '../errors.ts'
import { HANDSHAKE_COMMANDS } from './handshake-commands.ts'

interface PendingCommand {
  name: string
  promise: Promise<unknown>
  reject(error: Error): void
}

interface CommandSink {
  commandQueue: { length: number }
  offlineQueue: { length: number }
  sendCommand(command: PendingCommand, stream?: object): unknown
}

/**
 * Refuses (UNAVAILABLE) a command while `max` others are unanswered or wait for the connection: ioredis itself keeps
 * both queues without bound. The handshake's commands are let through, and those of a pipeline, because a part of it
 * must not be missing: its caller bounds what it puts into pipelines.
 */
export function boundPending(redis: Redis, max: number): void {
  const sink = redis as unknown as CommandSink
  const sendCommand = sink.sendCommand
  sink.sendCommand = (command, stream) => {
    const isBounded = stream === undefined && !HANDSHAKE_COMMANDS.has(command.name)
    if (isBounded && sink.commandQueue.length + sink.offlineQueue.length >= max) {
      command.reject(new AppError('UNAVAILABLE', 'Redis does not keep up.'))
      return command.promise
    }
    return sendCommand.call(redis, command, stream)
  }
}
