import type { RunCommand } from './ops-command.ts'

/** A command of `npm run ops`: a file of its own, loaded when it is asked for. */
interface Command {
  readonly name: string
  /** What may follow the name, and what it does. */
  readonly usage: readonly string[]
  load(): Promise<RunCommand>
}

const COMMANDS: readonly Command[] = [
  {
    name: 'keys',
    usage: [
      'keys list           the signing keys in NUVION_DATA, and what each does now',
      'keys rotate         adds a key that signs in 10 minutes; nobody notices',
      'keys rotate --now   a key got out: replaces all at once, and refuses their tokens',
      'keys prune          takes out what is not needed any more',
    ],
    load: async () => (await import('./keys-command.ts')).runKeysCommand,
  },
  {
    name: 'dead-letters',
    usage: [
      'dead-letters list [--limit N] [--before ID]   what ingest could not write, newest first',
      'dead-letters show ID                          all of one',
      'dead-letters replay ID… | --all               back to the ingest log, and away from here',
      'dead-letters drop ID… | --all                 away for good',
      'dead-letters … --json                         the answer as one line of JSON',
    ],
    load: async () => (await import('./dead-letters-command.ts')).runDeadLettersCommand,
  },
  {
    name: 'check-rollups',
    usage: ['check-rollups --space ID   compares the counts of reports with the events that they count'],
    load: async () => (await import('./check-rollups-command.ts')).runCheckRollupsCommand,
  },
  {
    name: 'rebuild-rollups',
    usage: [
      'rebuild-rollups --space ID --from TIME --to TIME   counts the events of whole quarters of an hour anew',
    ],
    load: async () => (await import('./rebuild-rollups-command.ts')).runRebuildRollupsCommand,
  },
]

/** Finds a command by its name. */
export function findCommand(name: string | undefined): Command | undefined {
  return COMMANDS.find(command => command.name === name)
}

/** Tells what there is. */
export function describeCommands(): string {
  const lines = COMMANDS.flatMap(({ usage }) => usage.map(line => `  npm run ops -- ${line}`))
  return ['Commands:', ...lines].join('\n')
}
