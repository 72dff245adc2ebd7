/** The device that asks: nobody else uploads its clips. */
export interface ClipSender {
  readonly deviceId: string
  readonly spaceId: string
}

/** What a device wants to upload. `eventId` is the id of the occurrence that it shows, which need not be known yet. */
export interface ClipRequest {
  readonly eventId: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly durationMs?: number | null
}

/** A video or image. */
export interface ClipRecord {
  readonly id: string
  readonly spaceId: string
  readonly deviceId: string
  readonly eventId: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly durationMs: number | null
  readonly status: 'PENDING' | 'READY'
  readonly hasPoster: boolean
  readonly createdAt: Date
}

/** Where to PUT the bytes, with which headers, and the clip that they will be. */
export interface ClipUpload {
  readonly uploadUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly clip: ClipRecord
}

/** Takes clips of devices. Both reject with a Refusal for what the device can mend. */
export interface ClipDesk {
  /** Notes a clip to come and signs the link of its upload. */
  request(sender: ClipSender, request: ClipRequest): Promise<ClipUpload>
  /**
   * Looks at what was uploaded: the clip is READY from then on. One that is so already is answered again. What is not what
   * was announced is deleted, and so is the clip.
   */
  complete(sender: ClipSender, clipId: string): Promise<ClipRecord>
}
