// The rules of pictures that are sent as pages of a PDF.

/** More pictures than this are not made into one PDF. */
export const MOST_PICTURES = 100

/** A page of text is readable in print at this many pixels along its longest side. */
const LONGEST_SIDE = 2000

const PICTURE_NAME = /\.(?:jpe?g|png|webp|gif|bmp|avif|hei[cf]|tiff?)$/i

export const isPicture = ({ name, type }: { name: string; type: string }) =>
  type.startsWith('image/') || PICTURE_NAME.test(name)

/** Shrinks a picture that has more pixels than a reader needs. It is never enlarged. */
export function readableSize(width: number, height: number): { width: number; height: number } {
  const factor = Math.min(1, LONGEST_SIDE / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}

const HEIC = /\.hei[cf]$/i

/** Says why a picture is not among the pages. */
export const unreadableText = (name: string) =>
  HEIC.test(name)
    ? `${name} kan denne browser ikke læse. Gem billedet som JPEG, og vælg det igen. På en iPhone: Indstillinger, Kamera, Formater, Mest kompatibel.`
    : `${name} kan ikke læses som et billede.`

/** 'Billeder 2026-11-18', by the date of this device. */
export function picturesName(now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `Billeder ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** Names the PDF: 'Pas' becomes 'Pas.pdf'. What is left empty gets the name of the day. */
export function pdfName(typed: string, now: Date): string {
  const name = typed
    .trim()
    .replace(/\.pdf$/i, '')
    .trim()
  return `${name || picturesName(now)}.pdf`
}
