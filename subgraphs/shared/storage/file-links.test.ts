import { describe, expect, it } from 'vitest'
import { newId } from '../uuid-v7.ts'
import { createFileLinks } from './file-links.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

describe('a link to a file', () => {
  it('is one text: with its last letter any other, even of the same bytes, it is none', () => {
    const links = createFileLinks('a secret of the site')
    const link = {
      ...({ method: 'GET', contentType: 'video/mp4', sizeBytes: 0, expiresAt: Date.now() } as const),
      key: `incoming/${newId()}/${newId()}`,
    }
    const signed = links.sign(link)
    const opened = [...ALPHABET].map(letter => links.verify(signed.slice(0, -1) + letter))
    expect(opened.filter(one => one !== null)).toEqual([link])
  })
})
