import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { runCommand } from './command.mjs'

/** Debian's packages ask this file whether they may start their services; 101 is "no" (invoke-rc.d(8)). */
const POLICY_FILE = '/usr/sbin/policy-rc.d'
const POLICY = '#!/bin/sh\n# Placed by the setup of NUVION while it installs packages.\nexit 101\n'

const OPTIONS = ['-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120']

/**
 * Installs one choice of packages for each entry of `choices` without starting their services: NUVION runs its own
 * instances and never the system's. Refreshes the package lists once when a package cannot be had. Resolves to '' or
 * to the text that says why it failed.
 */
export async function installWithApt({ apt, env, choices, policyFile = POLICY_FILE }) {
  const aptEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = args => runCommand(apt, args, { env: aptEnv })
  /** Undefined when one of the choices could be installed, else what apt-get said about the last. */
  const install = async options => {
    let reason
    for (const packages of options) {
      const result = await run(['install', ...OPTIONS, ...packages])
      if (result.code === 0) return undefined
      reason = result.output
    }
    return reason
  }

  const allow = forbidServices(policyFile)
  try {
    let failures = await installAll(choices, install)
    if (failures.length > 0) {
      await run(['update', '-qq'])
      failures = await installAll(
        failures.map(failure => failure.options),
        install,
      )
    }
    if (failures.length === 0) return ''
    return `${failures.map(failure => failure.reason).join('\n')}\napt-get could not install what is missing.\n\n`
  } finally {
    allow()
  }
}

async function installAll(choices, install) {
  const failures = []
  for (const options of choices) {
    const reason = await install(options)
    if (reason !== undefined) failures.push({ options, reason })
  }
  return failures
}

/** Forbids services to start, unless the machine has a policy of its own. Returns what takes that back. */
function forbidServices(policyFile) {
  const remove = () => {
    process.off('exit', remove)
    if (readText(policyFile) === POLICY) rmSync(policyFile, { force: true })
  }
  if (readText(policyFile) === undefined) {
    writeFileSync(policyFile, POLICY)
    chmodSync(policyFile, 0o755)
  }
  process.on('exit', remove)
  return remove
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
