/** How many bytes of an object tell what it is. */
export const CONTENT_START_BYTES = 64

const ascii = (start: Buffer, from: number, to: number) => start.toString('latin1', from, to)
const begins = (start: Buffer, ...bytes: number[]) => bytes.every((byte, i) => start[i] === byte)
/** Brand of an ISO base media file (ISO/IEC 14496-12 §4.3). */
const brandOf = (start: Buffer) => (ascii(start, 4, 8) === 'ftyp' ? ascii(start, 8, 12) : null)
/** Images in the same container. */
const IMAGE_BRANDS = new Set(['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'hevc', 'mif1', 'msf1', 'crx '])
/** First boxes of QuickTime files from before there were brands. */
const QUICKTIME_BOXES = new Set(['moov', 'mdat', 'wide'])

/** Content types of clips, and whether an object begins as one of that type does. */
const CONTENT_TYPES: Readonly<Record<string, (start: Buffer) => boolean>> = {
  'video/mp4'(start) {
    const brand = brandOf(start)
    return brand !== null && /^[\x20-\x7e]{4}$/.test(brand) && brand !== 'qt  ' && !IMAGE_BRANDS.has(brand)
  },
  'video/quicktime': start => brandOf(start) === 'qt  ' || QUICKTIME_BOXES.has(ascii(start, 4, 8)),
  // EBML with the document type webm.
  'video/webm': start =>
    begins(start, 0x1a, 0x45, 0xdf, 0xa3) && start.includes(Buffer.from('\x42\x82\x84webm', 'latin1')),
  'image/jpeg': start => begins(start, 0xff, 0xd8, 0xff),
  'image/png': start => begins(start, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  'image/webp': start => ascii(start, 0, 4) === 'RIFF' && ascii(start, 8, 12) === 'WEBP',
}

/** Names of the content types that clips may have. */
export const CLIP_CONTENT_TYPES: readonly string[] = Object.keys(CONTENT_TYPES)

/** Whether an object that begins with these bytes can be of the type. */
export function isContentOf(contentType: string, start: Buffer): boolean {
  return Object.hasOwn(CONTENT_TYPES, contentType) && CONTENT_TYPES[contentType]?.(start) === true
}
