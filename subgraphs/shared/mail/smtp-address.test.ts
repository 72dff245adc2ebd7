import { describe, expect, it } from 'vitest'
import { parseSmtpUrl } from './smtp-address.ts'

describe('parseSmtpUrl', () => {
  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, tls: 'required' }],
    ['smtps://mail.example.com', { host: 'mail.example.com', port: 465, tls: 'implicit' }],
    ['smtp://mail.example.com:25?tls=no', { host: 'mail.example.com', port: 25, tls: 'none' }],
    ['smtp://localhost:1025', { host: 'localhost', port: 1025, tls: 'none' }],
    ['smtp://[::1]:1025', { host: '::1', port: 1025, tls: 'none' }],
    ['smtp://127.0.0.1?tls=yes', { host: '127.0.0.1', port: 587, tls: 'required' }],
    ['smtp://a%40b:c%3Ad@relay', { host: 'relay', port: 587, user: 'a@b', password: 'c:d', tls: 'required' }],
  ])('reads %s', (url, address) => {
    expect(parseSmtpUrl(url)).toEqual(address)
  })

  it.each([
    'http://mail',
    'smtp://',
    'smtp://mail?tls=maybe',
    'smtp://mail?secure=true',
    'smtps://u:secret@mail?tls=no',
  ])('refuses %s without repeating a password', url => {
    const read = () => parseSmtpUrl(url)
    expect(read).toThrow(TypeError)
    expect(read).not.toThrow(/secret/)
  })
})
