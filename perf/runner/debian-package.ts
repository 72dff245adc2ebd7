import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'

const INSTALL_DEADLINE_MS = 300_000

/**
 * Installs a package of Debian unless a file of it is there. Returns why it is not there, or null when it is: only root
 * may install, and only where apt-get is.
 */
export async function installDebianPackage(
  { name, file }: { name: string; file: string },
  progress: (message: string) => void,
): Promise<string | null> {
  if (existsSync(file)) return null
  if (process.getuid?.() !== 0)
    return `Debian's ${name} is not installed, and only root can: apt-get install ${name}.`
  progress(`installing ${name} with apt-get`)
  const child = spawn('apt-get', ['install', '--yes', '--no-install-recommends', name], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore',
    timeout: INSTALL_DEADLINE_MS,
  })
  const code = await Promise.race([
    once(child, 'exit').then(([code]) => code as number | null),
    once(child, 'error').then(() => null),
  ])
  if (existsSync(file)) return null
  return `Debian's ${name} is not installed, and apt-get could not (it ended with ${code}).`
}
