import { INTERNAL_HEADER, openInternalCredential } from '../auth/internal-credential.ts'
import type { HttpPath } from './http-handoff.ts'

/** Keeps a path of a role to gateways: who shows no internal credential under `secret` is answered with 401. */
export function toInternalPath({ prefix, handler }: HttpPath, secret: string): HttpPath {
  return {
    prefix,
    handler: {
      handleRequest(request, response, onStream) {
        const sealed = request.headers[INTERNAL_HEADER]
        const isGateway = typeof sealed === 'string' && openInternalCredential(secret, sealed) !== null
        if (isGateway) return handler.handleRequest(request, response, onStream)
        response
          .writeHead(401, { 'content-type': 'text/plain', 'cache-control': 'no-store' })
          .end('Ask a gateway.\n')
      },
    },
  }
}
