import type { Redis } from 'ioredis'
import { HANDSHAKE_COMMANDS } from './handshake-commands.ts'

/** Told the names of the commands (lower case) that one round trip carries: one, or all of a pipeline or MULTI. */
export type RoundTripListener = (commands: readonly string[]) => void

interface SentCommand {
  name: string
}

interface CommandSink {
  sendCommand(command: SentCommand, stream?: object): unknown
}

/**
 * Calls `onRoundTrip` once for each single command and once for each pipeline as they are sent. Commands of the
 * handshake are left out; so is the second sending of a command whose script the server had forgotten.
 */
export function observeCommands(redis: Redis, onRoundTrip: RoundTripListener): void {
  const sink = redis as unknown as CommandSink
  const sendCommand = sink.sendCommand
  let pipeline: { stream: object; commands: string[] } | undefined
  const seen = new WeakSet<SentCommand>()
  sink.sendCommand = function (this: CommandSink, command, stream) {
    if (!seen.has(command) && !HANDSHAKE_COMMANDS.has(command.name)) {
      seen.add(command)
      if (stream === undefined) onRoundTrip([command.name])
      else if (pipeline?.stream === stream) pipeline.commands.push(command.name)
      else {
        const opened = { stream, commands: [command.name] }
        pipeline = opened
        // A pipeline hands over all its commands in one synchronous loop.
        queueMicrotask(() => {
          if (pipeline === opened) pipeline = undefined
          onRoundTrip(opened.commands)
        })
      }
    }
    return sendCommand.call(redis, command, stream)
  }
}
