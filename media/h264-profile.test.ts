import { expect, it } from 'vitest'
import { findProfileLevelId, isProfileWithin, profileOf } from './h264-profile.ts'

it('names the profile of a profile-level-id', () => {
  expect(['42e01f', '42001f', '4d001f', '640c1f', '64001f', 'f4001f'].map(profileOf)).toEqual([
    'constrained baseline',
    'baseline',
    'main',
    'constrained high',
    'high',
    'other',
  ])
})

it('finds the sequence parameter set alone and among others, and nothing in a slice or in rubbish', () => {
  expect(findProfileLevelId(Buffer.from('6764001fac', 'hex'))).toBe('64001f')
  expect(findProfileLevelId(Buffer.from('7800020910000567 42c01eff'.replace(' ', ''), 'hex'))).toBe('42c01e')
  expect(findProfileLevelId(Buffer.from('6588840021', 'hex'))).toBeNull()
  expect(findProfileLevelId(Buffer.from('78ffff67', 'hex'))).toBeNull()
  expect(findProfileLevelId(Buffer.alloc(0))).toBeNull()
})

it('takes a simpler profile than promised, and no richer one', () => {
  expect(isProfileWithin('constrained baseline', 'high')).toBe(true)
  expect(isProfileWithin('main', 'constrained baseline')).toBe(false)
  expect(isProfileWithin('other', 'high')).toBe(false)
})
