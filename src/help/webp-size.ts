/**
 * Reads how large a WebP is from its first bytes. Only for our own pictures: a decoder would cost every server its memory.
 * Throws if it is no WebP.
 */
export function webpSize(bytes: Uint8Array): { width: number; height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const word = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
  const three = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16)
  const kind = word(0) === 'RIFF' && word(8) === 'WEBP' ? word(12) : ''
  if (kind === 'VP8 ')
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (kind === 'VP8X') return { width: three(24) + 1, height: three(27) + 1 }
  if (kind !== 'VP8L') throw new Error('This is no WebP.')
  const sides = view.getUint32(21, true)
  return { width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 }
}
