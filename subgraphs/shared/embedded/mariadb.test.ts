import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMariaDb } from './mariadb.ts'
import type { ServerDeath } from './server-process.ts'

let dir: string

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'nv-'))
})

afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

async function query(url: string, sql: string): Promise<RowDataPacket[]> {
  const connection = await createConnection(url)
  try {
    const [rows] = await connection.query<RowDataPacket[]>(sql)
    return rows
  } finally {
    await connection.end()
  }
}

describe('embedded MariaDB', () => {
  it('starts from an interrupted initialisation, without network, durable, and keeps its data', async () => {
    const dataDir = join(dir, 'first')
    mkdirSync(join(dataDir, 'data.new'), { recursive: true })
    writeFileSync(join(dataDir, 'data.new', 'ibdata1'), 'torn')
    const said: string[] = []
    {
      await using server = await startMariaDb({ dataDir, log: message => said.push(message) })
      expect(said).toEqual(['Initialising MariaDB'])
      expect(
        await query(
          server.url,
          'SELECT @@skip_networking AS n, @@innodb_flush_log_at_trx_commit AS f, @@port AS p',
        ),
      ).toMatchObject([{ n: 1, f: 1 }])
      await query(server.url, 'CREATE TABLE kept (id INT)')
    }
    await using server = await startMariaDb({ dataDir, log: message => said.push(message) })
    expect(said).toHaveLength(1)
    expect(await query(server.url, 'SELECT COUNT(*) AS n FROM kept')).toEqual([{ n: 0 }])
  })

  it('puts its socket into a private temporary folder when the path is too long, and removes it', async () => {
    const dataDir = join(dir, 'a'.repeat(60), 'b'.repeat(60))
    const server = await startMariaDb({ dataDir })
    const folder = dirname(server.socketPath)
    expect(Buffer.byteLength(server.socketPath)).toBeLessThanOrEqual(107)
    expect(readFileSync(join(dataDir, 'mariadb.socket-folder'), 'utf8')).toBe(folder)
    expect(await query(server.url, 'SELECT DATABASE() AS d')).toEqual([{ d: 'nuvion' }])
    await server.close()
    expect(() => readFileSync(folder)).toThrow('ENOENT')
  })

  it('reports a death that nobody asked for, once, and a close not at all', async () => {
    const dataDir = join(dir, 'first')
    const deaths: ServerDeath[] = []
    const died = Promise.withResolvers<void>()
    const server = await startMariaDb({
      dataDir,
      onDeath: death => {
        deaths.push(death)
        died.resolve()
      },
    })
    process.kill(server.pid, 'SIGKILL')
    await died.promise
    await server.close()
    await (await startMariaDb({ dataDir, onDeath: death => deaths.push(death) })).close()
    expect(deaths).toMatchObject([{ name: 'MariaDB', exitCode: null, signal: 'SIGKILL' }])
  })

  it('says why it could not start, in the words of its log', async () => {
    const dataDir = join(dir, 'broken')
    mkdirSync(join(dataDir, 'data'), { recursive: true })
    writeFileSync(join(dataDir, 'data', 'ibdata1'), 'not a table space')
    await expect(startMariaDb({ dataDir })).rejects.toThrow(/MariaDB ended while starting[\s\S]*InnoDB: File/)
  })
})
