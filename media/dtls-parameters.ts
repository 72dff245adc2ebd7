import type { types } from 'mediasoup'
import { z } from 'zod'
import { AppError } from '../subgraphs/shared/errors.ts'
import type { MediaJson } from '../subgraphs/shared/media-port.ts'

/** Bytes of a digest (RFC 8122 §5). */
const DIGEST_BYTES = { 'sha-1': 20, 'sha-224': 28, 'sha-256': 32, 'sha-384': 48, 'sha-512': 64 } as const

const fingerprint = z
  .object({
    algorithm: z.enum(['sha-1', 'sha-224', 'sha-256', 'sha-384', 'sha-512']),
    value: z
      .string()
      .max(200)
      .regex(/^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2})*$/),
  })
  .refine(({ algorithm, value }) => value.length === DIGEST_BYTES[algorithm] * 3 - 1, 'has the wrong length')

const dtlsParameters = z.object({
  role: z.enum(['auto', 'client', 'server']).optional(),
  fingerprints: z.array(fingerprint).min(1).max(8),
})

/** Checks a client's DTLS parameters. Throws BAD_USER_INPUT, naming what is wrong. */
export function parseDtlsParameters(given: MediaJson): types.DtlsParameters {
  const parsed = dtlsParameters.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path.join('.') ?? ''
  throw new AppError(
    'BAD_USER_INPUT',
    `dtlsParameters cannot be used: ${path} ${issue?.message ?? ''}`.trim(),
  )
}
