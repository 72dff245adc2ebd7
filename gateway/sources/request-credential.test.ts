import { expect, test } from 'vitest'
import { openInternalCredential } from '../../subgraphs/shared/auth/internal-credential.ts'
import { createGatewayContext } from '../gateway-context.ts'
import { sealRequestCredential } from './request-credential.ts'

const viewer = { kind: 'user', userId: 'ann', sessionId: 's1', expiresAt: 4_000_000_000_000 } as const
const contextOf = (requestId: string) => createGatewayContext(viewer, requestId, new AbortController().signal)

test('all fetches of an operation carry one credential, and no other operation the same', () => {
  const [one, other] = [contextOf('request-1'), contextOf('request-2')]
  const credential = sealRequestCredential('secret', one)
  expect(sealRequestCredential('secret', one)).toBe(credential)
  expect(openInternalCredential('secret', credential)).toEqual({ viewer, requestId: 'request-1' })
  const second = sealRequestCredential('secret', other)
  expect(openInternalCredential('secret', second)).toEqual({ viewer, requestId: 'request-2' })
})

test('a credential is sealed for whoever shares its secret', () => {
  const context = contextOf('request-3')
  sealRequestCredential('secret', context)
  const credential = sealRequestCredential('another secret', context)
  expect(openInternalCredential('secret', credential)).toBeNull()
  expect(openInternalCredential('another secret', credential)).toMatchObject({ requestId: 'request-3' })
})
