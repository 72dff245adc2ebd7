import type { DeviceAuthenticator, ProvenDevice } from '../../subgraphs/shared/device-directory.ts'
import { ProtocolError, STOMP_VERSIONS, type StompFrame, type StompVersion } from './frame.ts'
import { type HeartBeat, type HeartBeatLimits, negotiateHeartBeat } from './heart-beat.ts'

/** What a device asks for, and shows, with CONNECT. */
export interface Handshake {
  readonly version: StompVersion
  readonly heartBeat: HeartBeat
  readonly deviceId: string | undefined
  readonly credential: string | undefined
  /**
   * Device token of the header `Authorization: Bearer …`, or else given as passcode, for clients that set no other
   * header; goes before the credential.
   */
  readonly token: string | undefined
}

/** A credential has no dots (RFC 7515, section 3.1). */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * Reads a CONNECT or STOMP frame. Without `accept-version` it is 1.0, whose header values are trimmed. Throws
 * ProtocolError when there is no version in common or the heart-beat is no pair of numbers.
 */
export function readHandshake(frame: StompFrame, limits: HeartBeatLimits): Handshake {
  const accepted = frame.headers.get('accept-version')
  const version = accepted === undefined ? '1.0' : newestOf(accepted)
  const header = (name: string) => {
    const value = frame.headers.get(name)
    return accepted === undefined ? value?.trim() : value
  }
  const passcode = header('passcode')
  const authorization = header('Authorization') ?? header('authorization')
  return {
    version,
    heartBeat: negotiateHeartBeat(header('heart-beat'), version, limits),
    deviceId: header('login'),
    credential: passcode,
    token:
      authorization !== undefined
        ? /^Bearer +(\S+)\s*$/i.exec(authorization)?.[1]
        : JWT.test(passcode ?? '')
          ? passcode
          : undefined,
  }
}

function newestOf(accepted: string): StompVersion {
  const offered = accepted.split(',').map(text => text.trim())
  const version = STOMP_VERSIONS.find(known => offered.includes(known))
  if (version !== undefined) return version
  throw new ProtocolError(
    `Supported versions are ${STOMP_VERSIONS.toReversed().join(', ')}.`,
    'BAD_USER_INPUT',
    {
      version: STOMP_VERSIONS.toReversed().join(','),
    },
  )
}

/**
 * Finds out which device it is. Throws UNAUTHENTICATED, in the same words whether the device is unknown, the
 * credential wrong, the token expired, or the token another device's than `login` says.
 */
export async function authenticate(
  { deviceId, credential, token }: Handshake,
  authenticator: DeviceAuthenticator,
  now: () => number,
): Promise<ProvenDevice> {
  const device =
    token !== undefined
      ? await authenticator.byToken(token)
      : deviceId !== undefined && credential !== undefined
        ? await authenticator.byCredential(deviceId, credential)
        : null
  const isAnother = token !== undefined && deviceId !== undefined && deviceId !== device?.deviceId
  if (device === null || isAnother || (device.expiresAt !== null && device.expiresAt <= now()))
    throw new ProtocolError(
      'login and passcode, or the token in Authorization, are not those of a device.',
      'UNAUTHENTICATED',
    )
  return device
}
