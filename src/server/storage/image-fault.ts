import { HEAD, typeOf } from './measure.ts'

export type ImageFault = 'type' | 'pixels' | 'shape' | 'heavy' | 'broken'

/** The image itself is at fault: another try ends in the same way. */
export class BadImage extends Error {
  fault: ImageFault
  constructor(fault: ImageFault, cause?: unknown) {
    super(`The image cannot be used: ${fault}.`, { cause })
    this.fault = fault
  }
}

/** The image was not ready in time. That may be the machine's fault, so another try may succeed. */
export class ImageLate extends Error {}

/** The exit statuses of the program that remakes images. */
export const IMAGE_STATUSES: Record<Exclude<ImageFault, 'heavy'>, number> = {
  type: 41,
  pixels: 42,
  shape: 43,
  broken: 44,
}

const TYPES = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/webp', 'image/gif'])

/** Looks at the first bytes, without decoding. */
export async function ensureType(bytes: Buffer): Promise<void> {
  if (!TYPES.has(await typeOf(bytes.subarray(0, HEAD)))) throw new BadImage('type')
}
