import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { installWithApt } from './apt.mjs'
import { runCommand } from './command.mjs'
import { findProgram } from './program.mjs'
import { SetupError } from './setup-error.mjs'

/** What a worker that was built here needs to run, by Debian's names. */
export const RUN_PACKAGES = ['libuv1', 'libssl3', 'libsrtp2-1', 'libabsl20220623']

const BUILD_PACKAGES = [
  'g++',
  'meson',
  'ninja-build',
  'pkg-config',
  'libuv1-dev',
  'libssl-dev',
  'libsrtp2-dev',
  'libabsl-dev',
  'libflatbuffers-dev',
  'flatbuffers-compiler',
]
const PROGRAMS = ['g++', 'meson', 'ninja', 'pkg-config', 'flatc']
const LIBRARIES = ['libuv', 'openssl', 'libsrtp2', 'absl_strings', 'flatbuffers']

/** Each is a directory under the name that the worker's .wrap file of it gives: meson then downloads nothing. */
const SHIMS = join(import.meta.dirname, 'media-worker-shims')

/**
 * Builds mediasoup's worker from the sources in its package (`packageDir`) against the distribution's libraries, without
 * downloading any other source, and puts it at `file` in one step. Takes 4 to 8 minutes on two cores and 1.2 GB for the
 * compilers, which apt-get installs when we are root. Throws SetupError when it cannot.
 */
export async function buildMediaWorker({ packageDir, file, env, isRoot, report }) {
  await prepareTools({ env, isRoot, report })
  const dir = mkdtempSync(join(tmpdir(), 'nuvion-media-worker-'))
  const remove = () => rmSync(dir, { recursive: true, force: true })
  process.on('exit', remove)
  try {
    cpSync(join(packageDir, 'worker'), dir, { recursive: true })
    addShims(dir)
    patchSources(dir)
    const run = async (program, args) => {
      const onOutput = chunk => {
        const step = chunk.match(/\[\d+\/\d+\]/g)?.at(-1)
        if (step !== undefined) report(`step ${step.slice(1, -1)}`)
      }
      const result = await runCommand('nice', ['-n', '10', program, ...args], { env, cwd: dir, onOutput })
      if (result.code !== 0) throw new SetupError(`${result.output}\nBuilding mediasoup's worker failed.`)
    }
    await run('meson', ['setup', '--buildtype', 'release', '-Db_ndebug=true', 'build'])
    // The rest needs what this generates, and does not say so.
    await run('meson', ['compile', '-C', 'build', 'flatbuffers-generator'])
    await run('meson', ['compile', '-C', 'build', 'mediasoup-worker'])
    const built = join(dir, 'build', 'mediasoup-worker')
    await run('strip', [built])
    placeFile(built, file)
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/** Puts a copy of `from` at `to` so that nobody ever sees half of it. */
export function placeFile(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  const half = `${to}.${process.pid}`
  copyFileSync(from, half)
  renameSync(half, to)
}

async function prepareTools({ env, isRoot, report }) {
  const isComplete = async () => {
    if (PROGRAMS.some(name => findProgram([name], env.PATH) === undefined)) return false
    return (await runCommand('pkg-config', ['--exists', ...LIBRARIES], { env })).code === 0
  }
  if (await isComplete()) return
  const apt = findProgram(['apt-get'], env.PATH)
  let reason = ''
  if (apt !== undefined && isRoot) {
    report('installing the compilers')
    reason = await installWithApt({ apt, env, choices: [[BUILD_PACKAGES]] })
  }
  if (await isComplete()) return
  throw new SetupError(
    `${reason}Building mediasoup's worker needs its compilers and libraries. Install with\n\n    sudo apt-get install ${BUILD_PACKAGES.join(' ')}\n\nand run this again.`,
  )
}

function addShims(dir) {
  for (const name of readdirSync(SHIMS)) {
    const wrap = readFileSync(join(dir, 'subprojects', `${name}.wrap`), 'utf8')
    const folder = /^directory *= *(.+)$/m.exec(wrap)?.[1]
    if (folder === undefined) throw new SetupError(`mediasoup's ${name}.wrap names no directory.`)
    cpSync(join(SHIMS, name), join(dir, 'subprojects', folder.trim()), { recursive: true })
  }
}

function patchSources(dir) {
  // Debian 12 has meson 1.0.1, which does.
  patch(join(dir, 'meson.build'), /meson_version: '>= 1\.[0-9.]*'/, "meson_version: '>= 1.0.0'")
  // The callback answers 1 to every BIO_ctrl(), so an OpenSSL built with kTLS (Debian's is, mediasoup's own is not) takes
  // kTLS as active, allocates no write buffer and crashes in the first DTLS handshake. Let the real result through.
  patch(
    join(dir, 'src', 'RTC', 'DtlsTransport.cpp'),
    /\(operationType == BIO_CB_RETURN\)/,
    '((operationType & BIO_CB_RETURN) != 0)',
  )
}

function patch(file, pattern, replacement) {
  const text = readFileSync(file, 'utf8')
  if (!pattern.test(text))
    throw new SetupError(`${file} is not as expected: this version cannot be built here.`)
  writeFileSync(file, text.replace(pattern, replacement))
}
