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

/** What a device has shown, by which it is judged again while its session lasts. */
export type DeviceProof =
  | { readonly kind: 'credential'; readonly digest: string }
  /** `issuedAt` is epoch milliseconds, to the second. */
  | { readonly kind: 'token'; readonly issuedAt: number }

/** A device that has shown what lets it in. */
export interface ProvenDevice extends DeviceIdentity {
  readonly proof: DeviceProof
}

/** Checks what a device shows at CONNECT. */
export interface DeviceAuthenticator {
  /** Identity behind a device id and its credential; null when they do not belong together. */
  byCredential(deviceId: string, credential: string): Promise<ProvenDevice | null>
  /** Identity behind a device token (JWT, without `Bearer `); null when it is not valid now. */
  byToken(token: string): Promise<ProvenDevice | null>
  /** Those that would not be let in any more with what they have shown, as the database says: one lookup for all. */
  findEnded(devices: readonly ProvenDevice[]): Promise<ProvenDevice[]>
}
