/** Where a device stands now. */
export interface DevicePlace {
  readonly spaceId: string
  readonly lineId: string | null
  readonly processId: string | null
}

/** Tells where devices stand; answers come from a bounded cache of short age where there is one. */
export interface DeviceDirectory {
  /** Places of the given devices, in one lookup; a device that does not exist is missing from the answer. */
  placesOf(deviceIds: readonly string[]): Promise<ReadonlyMap<string, DevicePlace>>
}

/** A device that has proven who it is. */
export interface DeviceIdentity {
  readonly deviceId: string
  readonly spaceId: string
  /** Epoch milliseconds; null when what it showed does not expire. */
  readonly expiresAt: number | null
}

/** Checks what a device shows at CONNECT. */
export interface DeviceAuthenticator {
  /** Identity behind a device id and its credential; null when they do not belong together. */
  byCredential(deviceId: string, credential: string): Promise<DeviceIdentity | null>
  /** Identity behind a device token (JWT, without `Bearer `); null when it is not valid now. */
  byToken(token: string): Promise<DeviceIdentity | null>
}
