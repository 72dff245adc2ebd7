import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { LOAD_COMMANDS, type LoadCommand } from './load/commands.ts'
import { formatHtml } from './load/html-report.ts'
import { LOAD_USAGE, parseLoadFlags } from './load/load-options.ts'
import { perfFolder } from './load/load-site.ts'
import type { Outcome } from './load/outcome.ts'
import { formatReport } from './runner/report.ts'
import { createResult, exitCodeOf, type Measures, readCommit, writeResult } from './runner/result.ts'
import type { Suite } from './runner/suite.ts'
import { fanoutSuite } from './suites/fanout.ts'
import { gatewaySuite } from './suites/gateway.ts'
import { ingestSuite } from './suites/ingest.ts'
import { mediaSuite } from './suites/media.ts'
import { presenceSuite } from './suites/presence.ts'
import { readsSuite } from './suites/reads.ts'
import { reportsSuite } from './suites/reports.ts'
import { startSuite } from './suites/start.ts'

/** By the name that `npm run perf -- <suite>` takes. */
const SUITES: Readonly<Record<string, Suite>> = {
  start: startSuite,
  gateway: gatewaySuite,
  fanout: fanoutSuite,
  presence: presenceSuite,
  media: mediaSuite,
  ingest: ingestSuite,
  reads: readsSuite,
  reports: reportsSuite,
}

/** Exit code for a command line that cannot be understood; 1 is a check that fails, or a run that is not valid. */
const USAGE_ERROR = 2

const QUICK_NOTE = '\n  quick: shows that it works, claims nothing'

const root = fileURLToPath(new URL('..', import.meta.url))

// What the suites have started ends with this process.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const [first = '', ...rest] = args
  if (Object.hasOwn(LOAD_COMMANDS, first) && !rest.includes('--help') && !rest.includes('-h'))
    return await runLoadCommand(first, LOAD_COMMANDS[first] as LoadCommand, rest)
  const command = readCommand(args)
  if (command === 'help') {
    console.log(describeUsage())
    return 0
  }
  if (typeof command === 'string') {
    console.error(`${command}\n\n${describeUsage()}`)
    return USAGE_ERROR
  }
  const { name, suite, isQuick, jsonFile } = command
  const startedAt = new Date()
  const { commit, hasChanges } = await readCommit(root)
  const measures = await measure(suite, isQuick)
  const details = { isQuick, hasUncommittedChanges: hasChanges, ...measures.details }
  const result = createResult({ suite: name, commit, startedAt }, { ...measures, details })
  if (jsonFile !== undefined) await writeResult(jsonFile, result)
  console.log(`\n${formatReport(result)}${isQuick ? QUICK_NOTE : ''}`)
  return exitCodeOf(result)
}

/** Runs a command of the load harness, which has flags of its own. */
async function runLoadCommand(name: string, command: LoadCommand, args: readonly string[]): Promise<number> {
  let flags: ReturnType<typeof parseLoadFlags>
  try {
    flags = parseLoadFlags(args, process.env.INIT_CWD ?? process.cwd())
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${describeUsage()}`)
    return USAGE_ERROR
  }
  const startedAt = new Date()
  const { commit, hasChanges } = await readCommit(root)
  const progress = (message: string) => console.error(`perf: ${message}`)
  let outcome: Outcome | null
  try {
    outcome = await command.run({ root, flags, progress })
  } catch (error) {
    console.error(error)
    const reasons = [`It could not run: ${describeFault(error)}`]
    outcome = { measures: { checks: [], reasons, details: {} }, runs: [] }
  }
  if (outcome === null) return 0
  const { measures, runs } = outcome
  const details = { isQuick: flags.isQuick, hasUncommittedChanges: hasChanges, ...measures.details }
  const result = createResult({ suite: name, commit, startedAt }, { ...measures, details })
  const stamp = result.startedAt.replace(/[-:]|\.\d+/g, '')
  const jsonFile = flags.jsonFile ?? join(perfFolder(root), 'reports', `${name}-${stamp}.json`)
  const htmlFile = flags.htmlFile ?? jsonFile.replace(/(\.json)?$/, '.html')
  await writeResult(jsonFile, result)
  await writeFile(htmlFile, formatHtml(result, runs))
  console.log(`\n${formatReport(result)}${flags.isQuick ? QUICK_NOTE : ''}\n\n  ${htmlFile}`)
  return exitCodeOf(result)
}

function describeFault(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A suite that breaks has measured nothing, which is a result too. */
async function measure(suite: Suite, isQuick: boolean): Promise<Measures> {
  try {
    return await suite.run({ isQuick, root, progress: message => console.error(`perf: ${message}`) })
  } catch (error) {
    console.error(error)
    return { checks: [], reasons: [`The suite could not run: ${describeFault(error)}`], details: {} }
  }
}

interface Command {
  readonly name: string
  readonly suite: Suite
  readonly isQuick: boolean
  readonly jsonFile: string | undefined
}

/** Returns the command, `help`, or what is wrong with the arguments. */
function readCommand(args: readonly string[]): Command | string {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(args)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const { values, positionals } = parsed
  if (values.help) return 'help'
  const [name, ...more] = positionals
  if (name === undefined) return 'Which suite?'
  if (more.length > 0) return `One suite at a time: got ${positionals.join(', ')}.`
  const suite = Object.hasOwn(SUITES, name) ? SUITES[name] : undefined
  if (suite === undefined) return `There is no suite ${name}.`
  // npm runs scripts in the root folder; a file is meant from where the person is.
  const from = process.env.INIT_CWD ?? process.cwd()
  const jsonFile = values.json === undefined ? undefined : resolve(from, values.json)
  return { name, suite, isQuick: values.quick ?? false, jsonFile }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      json: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
}

function describeUsage(): string {
  const width = Math.max(...[...Object.keys(SUITES), ...Object.keys(LOAD_COMMANDS)].map(name => name.length))
  const list = (commands: Readonly<Record<string, { title: string }>>) =>
    Object.entries(commands).map(([name, { title }]) => `  ${name.padEnd(width)}  ${title}`)
  return [
    'npm run perf -- <suite> [--quick] [--json FILE]',
    '',
    'Parts, each against what others have of it:',
    ...list(SUITES),
    '',
    'The whole product under load:',
    ...list(LOAD_COMMANDS),
    '',
    '  --quick      fewer and shorter rounds',
    '  --json FILE  writes the result there too',
    ...LOAD_USAGE,
    '',
    'Exits with 1 when a check fails or the run is not valid, with 2 when the command is wrong.',
  ].join('\n')
}
