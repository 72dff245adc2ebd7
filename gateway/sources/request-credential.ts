import { sealInternalCredential } from '../../subgraphs/shared/auth/internal-credential.ts'
import type { GatewayContext } from '../gateway-context.ts'

/** What was sealed for an operation, which lasts less long than a credential is good for. */
const sealed = new WeakMap<object, { readonly secret: string; readonly credential: string }>()

/** Seals the credential that carries the claims of an operation to other roles: once, for all its fetches. */
export function sealRequestCredential(secret: string, context: GatewayContext): string {
  const known = sealed.get(context.identity)
  if (known?.secret === secret) return known.credential
  const { viewer, requestId, grant, refreshCookie } = context
  const credential = sealInternalCredential(secret, { viewer, requestId, grant, refreshCookie })
  sealed.set(context.identity, { secret, credential })
  return credential
}
