import { z } from 'zod'
import { refuse } from '../shared/graphql/refusal.ts'
import type { MediaJson } from '../shared/media-port.ts'

/** Bounds of a parameter object; those of browsers are well below. */
const MAX_CHARS = 64 * 1024
const MAX_DEPTH = 10

const text = z.string().max(256)
const objects = (max: number) => z.array(z.looseObject({})).max(max)
const codecs = (max: number) =>
  z.array(z.looseObject({ mimeType: z.string().max(64), clockRate: z.int().positive() })).max(max)

const SHAPES = {
  dtlsParameters: z.looseObject({
    role: z.enum(['auto', 'client', 'server']).optional(),
    fingerprints: z
      .array(z.looseObject({ algorithm: z.string().max(16), value: z.string().min(1).max(256) }))
      .min(1)
      .max(8),
  }),
  rtpCapabilities: z.looseObject({
    codecs: codecs(200),
    headerExtensions: objects(100).optional(),
  }),
  rtpParameters: z.looseObject({
    mid: text.optional(),
    codecs: codecs(32).min(1),
    headerExtensions: objects(64).optional(),
    encodings: objects(8).min(1),
    rtcp: z.looseObject({ cname: text.optional() }).optional(),
  }),
} as const

/**
 * Checks the bounds and the outline of a parameter object of mediasoup's client, so that nothing boundless reaches media; what it
 * means is media's to judge. Throws a Refusal that names where it is wrong.
 */
export function readMediaParameters(field: keyof typeof SHAPES, value: unknown): MediaJson {
  if (isDeeper(value, MAX_DEPTH))
    refuse('BAD_USER_INPUT', field, `${field} is deeper than ${MAX_DEPTH} levels.`)
  if (JSON.stringify(value).length > MAX_CHARS)
    refuse('BAD_USER_INPUT', field, `${field} is longer than ${MAX_CHARS} characters.`)
  const { success, error } = SHAPES[field].safeParse(value)
  if (success) return value as MediaJson
  const [issue] = error.issues
  const path = [field, ...(issue?.path ?? []).map(String)].join('.').slice(0, 200)
  return refuse('BAD_USER_INPUT', path, `${path}: ${issue?.message ?? 'Not valid.'}`)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1))
}
