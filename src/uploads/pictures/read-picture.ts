import type { JpegPage } from './picture-pdf.ts'
import { readableSize } from './picture.ts'

const QUALITY = 0.8

/** Reads a picture in the browser: turned upright, at a readable size. Null if this browser cannot read it. */
export async function readPicture(file: Blob): Promise<(JpegPage & { blob: Blob }) | null> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!image) return null
  const { width, height } = readableSize(image.width, image.height)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) return null
  // Transparent areas would be black in a JPEG.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, width, height)
  image.close()
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
  // Safari gives a canvas's memory back when it has no pixels.
  canvas.width = 0
  canvas.height = 0
  return blob && { blob, jpeg: new Uint8Array(await blob.arrayBuffer()), width, height }
}
