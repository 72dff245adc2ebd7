import { domainToASCII } from 'node:url'
import type { Parsed } from './parsed.ts'

/** RFC 5321 §4.5.3.1 without the angle brackets, and §4.5.3.1.1. */
const MAX_LENGTH = 254
const MAX_LOCAL_LENGTH = 64
/** Dot-string of RFC 5321 §4.1.2: no quotes, comments, spaces or control characters, so nothing can break a header. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** What an international domain may be written with: letters, marks, digits, hyphens, dots. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u

/**
 * Reads an e-mail address: spaces around it dropped, lower case, an international domain in its ASCII form (`xn--…`,
 * UTS #46), so that one address has one spelling and look-alikes show.
 *
 * Refuses all but `local@domain` with one `@`, a plain ASCII local part of at most 64 characters and a domain of two
 * labels or more; at most 254 characters. Whether it exists is for a mail to find out.
 */
export function parseEmail(text: string): Parsed {
  const problem = { problem: 'is no e-mail address, such as name@example.com.' }
  // An ASCII form is longer than what it stands for, so what is too long stays so.
  if (text.length > 2 * MAX_LENGTH) return problem
  const [local = '', host = '', ...more] = text.replace(/^ +| +$/g, '').split('@')
  if (more.length > 0 || local.length > MAX_LOCAL_LENGTH || !DOMAIN.test(host)) return problem
  const name = local.toLowerCase()
  const domain = domainToASCII(host).toLowerCase()
  const labels = domain.split('.')
  const value = `${name}@${domain}`
  const isSane =
    // Before lower case, which turns the Kelvin sign into a k.
    /^[\x21-\x7e]+$/.test(local) &&
    LOCAL.test(name) &&
    labels.length > 1 &&
    labels.every(label => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '') &&
    value.length <= MAX_LENGTH
  return isSane ? { value } : problem
}
