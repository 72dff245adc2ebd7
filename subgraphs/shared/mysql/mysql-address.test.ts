import { describe, expect, it } from 'vitest'
import { parseMysqlUrl, withDatabase } from './mysql-address.ts'

describe('a database URL', () => {
  it('names server, account and database, percent-decoded', () => {
    expect(parseMysqlUrl('mysql://us%40er:p%2Fw@db.example:3307/plant?tls=true')).toEqual({
      host: 'db.example',
      port: 3307,
      user: 'us@er',
      password: 'p/w',
      database: 'plant',
      tls: true,
    })
    expect(parseMysqlUrl('mariadb://u@[::1]/plant')).toMatchObject({ host: '::1', port: 3306, tls: false })
  })

  it('may name a unix socket, also after its database was changed', () => {
    const url = withDatabase('mysql://nuvion@localhost/nuvion?socketPath=%2Frun%2Fa%20b.sock', 'other')
    expect(parseMysqlUrl(url)).toMatchObject({
      socketPath: '/run/a b.sock',
      database: 'other',
      user: 'nuvion',
    })
  })

  it.each([
    ['postgres://u:secret@host/db', 'looks like mysql://'],
    ['not a url', 'looks like mysql://'],
    ['mysql://u:secret@host', 'names no database'],
    ['mysql://u:secret@host/db?ssl=1', 'unknown option ssl'],
  ])('is refused when it is %s, without repeating the password', (url, message) => {
    expect(() => parseMysqlUrl(url)).toThrow(message)
    expect(() => parseMysqlUrl(url)).not.toThrow('secret')
  })
})
