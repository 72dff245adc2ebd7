import { expect, it } from 'vitest'
import { PortLeases } from './port-leases.ts'

it('gives each port to one, goes round, and takes ports back', () => {
  const leases = new PortLeases({ first: 20, last: 22 })
  expect([leases.take(), leases.take()]).toEqual([20, 21])
  leases.release(20)
  leases.release(20)
  expect([leases.take(), leases.take()]).toEqual([22, 20])
  expect(leases.taken).toBe(3)
  expect(() => leases.take()).toThrow(/All 3 media ports/)
})
