#!/usr/bin/env node
import { readConfig } from '../shared/config.ts'
import { describeCommands, findCommand } from './commands.ts'
import { OpsError } from './ops-command.ts'

process.env.NODE_ENV ??= 'production'
await main(process.argv.slice(2))

/** `npm run ops -- <command> …`: 0 when it was done, 1 when it failed, 2 when it was not understood. */
async function main([name, ...args]: readonly string[]): Promise<void> {
  const command = findCommand(name)
  if (command === undefined) {
    console.error(describeCommands())
    process.exitCode = 2
    return
  }
  try {
    const run = await command.load()
    await run(args, { config: readConfig(process.env), print: line => console.log(line) })
  } catch (error) {
    const isMisunderstood = error instanceof OpsError
    console.error(describeError(error))
    if (isMisunderstood) console.error(describeCommands())
    process.exitCode = isMisunderstood ? 2 : 1
  }
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}\n  ${describeError(error.cause)}`
}
