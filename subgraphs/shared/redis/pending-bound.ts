import type { Redis } from 'ioredis'
import { AppError } from '../errors.ts'

interface PendingCommand {
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
 * both queues without bound. Commands of a pipeline are let through, because a part of it must not be missing; the
 * pipeline's caller meets the bound with its next single command or by the deadline.
 */
export function boundPending(redis: Redis, max: number): void {
  const sink = redis as unknown as CommandSink
  const sendCommand = sink.sendCommand
  sink.sendCommand = (command, stream) => {
    if (stream === undefined && sink.commandQueue.length + sink.offlineQueue.length >= max) {
      command.reject(new AppError('UNAVAILABLE', 'Redis does not keep up.'))
      return command.promise
    }
    return sendCommand.call(redis, command, stream)
  }
}
