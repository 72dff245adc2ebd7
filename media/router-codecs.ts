import type { types } from 'mediasoup'

/** Constrained baseline, baseline, main and high: what cameras send. Levels may differ in both directions. */
export const H264_PROFILES = ['42e01f', '42001f', '4d001f', '64001f']

/** What rooms can carry: of H264, packetization mode 1, which is what encoders and browsers speak. */
export const ROUTER_CODECS: types.RouterRtpCodecCapability[] = [
  { kind: 'audio', mimeType: 'audio/opus', clockRate: 48_000, channels: 2 },
  { kind: 'video', mimeType: 'video/VP8', clockRate: 90_000 },
  ...H264_PROFILES.map(profile => ({
    kind: 'video' as const,
    mimeType: 'video/H264',
    clockRate: 90_000,
    parameters: { 'packetization-mode': 1, 'profile-level-id': profile, 'level-asymmetry-allowed': 1 },
  })),
]

/**
 * The capabilities that clients are told: a router's without abs-capture-time, with which mediasoup 3.27 never switches the
 * layers of what Chromium sends.
 */
export function clientCapabilities(capabilities: types.RtpCapabilities): types.RtpCapabilities {
  return {
    ...capabilities,
    headerExtensions: capabilities.headerExtensions?.filter(
      extension => !extension.uri.endsWith('abs-capture-time'),
    ),
  }
}
