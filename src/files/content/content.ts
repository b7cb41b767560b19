// How a stored file is sent: what a browser may show, and what a request wants of it.

/** Shown in the browser when it is opened; all else is saved. */
const SHOWN = new Set(['application/pdf', 'image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp'])
/** Text is shown when its name says no more than that, 'Referat 12.3.2020' too: `.html` is for another program. */
const TEXT_NAME = /^[^.]*$|\.(?:txt|text|csv|md|log|\d+)$/i

/**
 * Saved files whose type is told, so that a phone knows which program to open: none of them is a page, a script or a
 * style to any browser. Whatever else is saved (HTML, SVG, XML, what we do not know) is no type at all, so that there
 * is nothing to run even where a browser forgets that it was to be saved.
 */
const TOLD =
  /^(?:application\/(?:zip|rtf|x-cfb|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-(?:word|excel|powerpoint))\.[\w.-]+)|image\/(?:bmp|tiff|heic|heif|avif)|(?:audio|video)\/(?:mpeg|mp4|wav|ogg|webm|quicktime|x-m4a|x-m4v))$/

/** Something that has been stored: its name, and what its bytes are. */
export type Stored = { name: string; type: string; size: number; sha256: string }

export type Disposition = 'inline' | 'attachment'

/** Whether opening a file shows it. */
export function dispositionOf({ name, type }: Pick<Stored, 'name' | 'type'>): Disposition {
  return SHOWN.has(type) || (type === 'text/plain' && TEXT_NAME.test(name)) ? 'inline' : 'attachment'
}

/** What goes with the file, whichever part of it is sent, and with 304 too: a browser takes over what that one says. */
export function headersOf(file: Stored, disposition: Disposition): Record<string, string> {
  return {
    'content-type': sentType(file.type, disposition),
    'content-disposition': contentDisposition(disposition, file.name),
    'content-security-policy': policyOf(file.type, disposition),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    // Asked for anew each time, so that a right that is taken back is gone at once.
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag: etagOf(file),
  }
}

export const etagOf = ({ sha256 }: Pick<Stored, 'sha256'>) => `"${sha256}"`

export function sentType(type: string, disposition: Disposition): string {
  if (disposition === 'inline') return type === 'text/plain' ? 'text/plain; charset=utf-8' : type
  return SHOWN.has(type) || TOLD.test(type) ? type : 'application/octet-stream'
}

// The styles are the browser's own, around a text or a picture.
const NOTHING_RUNS = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Nothing runs. Many a Chrome's PDF viewer does not start in a sandbox; a PDF's scripts stay inside the viewer anyway. */
function policyOf(type: string, disposition: Disposition): string {
  const isShownPdf = type === 'application/pdf' && disposition === 'inline'
  return isShownPdf ? NOTHING_RUNS : `${NOTHING_RUNS}; sandbox`
}

/** RFC 6266: the name in plain letters for old programs, and the real one as in RFC 8187. */
export function contentDisposition(disposition: Disposition, name: string): string {
  return `${disposition}; filename="${plainName(name)}"; filename*=UTF-8''${extendedName(name)}`
}

const LETTERS: Record<string, string> = { æ: 'ae', ø: 'oe', å: 'aa', Æ: 'Ae', Ø: 'Oe', Å: 'Aa', '"': "'" }

/** 'Årsrapport 50 %.pdf' becomes 'Aarsrapport 50 _.pdf'. */
function plainName(name: string): string {
  return (
    name
      .normalize('NFC')
      .replace(/[æøåÆØÅ"]/g, (letter) => LETTERS[letter]!)
      .normalize('NFKD')
      .replace(/\p{Mark}/gu, '')
      // Some programs decode a % even here.
      .replace(/[^\x20-\x7e]|["%/\\]/gu, '_')
  )
}

function extendedName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

type RequestHeaders = { [name: string]: string | string[] | undefined }

/** From the first byte to the last, both counted. */
type Part = { first: number; last: number }

export type Answer = { status: 200 } | { status: 206; part: Part } | { status: 304 | 412 | 416 }

/** What a request wants of a file, in the order of RFC 9110, 13.2.2. */
export function answerTo(
  method: string,
  headers: RequestHeaders,
  file: Pick<Stored, 'size' | 'sha256'>,
): Answer {
  const etag = etagOf(file)
  const given = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined)
  const [match, noneMatch, range, ifRange] = [
    given('if-match'),
    given('if-none-match'),
    given('range'),
    given('if-range'),
  ]
  if (match !== undefined && !lists(match, etag, 'strong')) return { status: 412 }
  if (noneMatch !== undefined && lists(noneMatch, etag, 'weak')) return { status: 304 }
  // A date in If-Range is never ours: we tell none.
  if (method !== 'GET' || range === undefined || (ifRange !== undefined && ifRange.trim() !== etag))
    return { status: 200 }
  const part = partOf(range, file.size)
  if (part === 'none') return { status: 416 }
  return part === 'whole' ? { status: 200 } : { status: 206, part }
}

/** Whether a list of entity tags names this one. Tags hold no commas of ours, so that others' may be cut apart. */
function lists(header: string, etag: string, how: 'strong' | 'weak'): boolean {
  return header
    .split(',')
    .map((each) => each.trim())
    .some((each) => each === '*' || each === etag || (how === 'weak' && each === `W/${etag}`))
}

/** One range; several, or what is none, mean the whole. */
export function partOf(range: string, size: number): Part | 'whole' | 'none' {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? []
  // Some ask for a range of everything; of nothing there is none.
  if ((from === '' && to === '') || size === 0) return 'whole'
  if (from === '')
    return Number(to) === 0 ? 'none' : { first: Math.max(size - Number(to), 0), last: size - 1 }
  if (to !== '' && Number(to) < Number(from)) return 'whole'
  if (Number(from) >= size) return 'none'
  return { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
