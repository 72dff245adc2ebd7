import { installWithApt } from './apt.mjs'
import { findProgram, SERVER_FOLDERS } from './program.mjs'
import { SetupError } from './setup-error.mjs'

/**
 * The servers that the embedded default runs: when they are needed, how they are recognised, and which Debian packages
 * bring them, the best choice first. MariaDB's core packages hold the program without a service of the system.
 */
const SERVERS = [
  {
    name: 'MariaDB',
    ownAddress: 'DATABASE_URL',
    programs: [
      ['mariadbd', 'mysqld'],
      ['mariadb-install-db', 'mysql_install_db'],
    ],
    packages: [['mariadb-server-core', 'mariadb-client-core'], ['mariadb-server']],
    advice: 'mariadb-server',
  },
  {
    name: 'Redis',
    ownAddress: 'REDIS_URL',
    programs: [['redis-server', 'valkey-server']],
    packages: [['redis-server'], ['valkey-server']],
    advice: 'redis-server',
  },
]

/**
 * The step that finds the MariaDB and Redis servers or installs them. A server is not needed when the environment
 * gives the address of another one.
 */
export function createServersStep({ env, folders = SERVER_FOLDERS, isRoot = process.getuid?.() === 0 }) {
  const isThere = server =>
    server.programs.every(names => findProgram(names, env.PATH, folders) !== undefined)
  const listMissing = () => SERVERS.filter(server => !env[server.ownAddress] && !isThere(server))

  return {
    title: 'Installing the database servers (MariaDB, Redis)',
    isDone: () => listMissing().length === 0,
    async run() {
      const missing = listMissing()
      const apt = findProgram(['apt-get'], env.PATH)
      let reason = ''
      if (apt !== undefined && isRoot) {
        reason = await installWithApt({ apt, env, choices: missing.map(server => server.packages) })
      }
      if (listMissing().length > 0) throw new SetupError(`${reason}${advise(listMissing())}`)
    },
  }
}

function advise(missing) {
  const names = missing.map(server => server.name).join(' and ')
  const packages = missing.map(server => server.advice).join(' ')
  return `NUVION needs ${names} on this machine. Install with

    sudo apt-get install ${packages}

or use servers of your own by setting DATABASE_URL, REDIS_URL and REDIS_INGEST_URL (see README.md).`
}
