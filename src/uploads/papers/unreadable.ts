/** Facts about bytes that have no text to compare. */
export type UnreadBytes = {
  /** The type of the bytes. */
  type: string
  name: string
  /** The kind of reader; null if Ringbind does not read such files. */
  kind: string | null
  /** Why they could not be read, if that was tried. */
  reason: string | null
  /** One of the first pages could not be read as a picture. */
  is_scan_failed?: boolean
}

/** Says why a paper cannot be read: 'Filen er låst med en adgangskode.' */
export function unreadableText({ type, name, kind, reason, is_scan_failed: isFailed }: UnreadBytes): string {
  if (reason !== null) return reason
  if (isFailed) return 'En af de første sider kunne ikke læses.'
  if (kind === null)
    return /\.pdf$/i.test(name) && type !== 'application/pdf'
      ? 'Filen hedder .pdf, men er ikke en PDF.'
      : 'Ringbind læser ikke filer af den slags.'
  return kind === 'picture' || kind === 'pdf' ? 'Der er ingen læsbar tekst.' : 'Den kunne ikke læses.'
}
