// Decides how a stored file is sent: what a browser may show, and which part a request asks for.
import type { ByteRange } from '../../server/storage/storage.ts'

/** Types that the browser shows. All others are downloaded, except text. */
const SHOWN = new Set(['application/pdf', 'image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp'])
/** Names under which text is shown, 'Referat 12.3.2020' too. Other endings, like `.html`, belong to other programs. */
const TEXT_NAME = /^[^.]*$|\.(?:txt|text|csv|md|log|\d+)$/i

/**
 * Types that a download keeps, so that a phone knows which program to open. No browser treats one of them as a page, a
 * script or a style. All others (HTML, SVG, XML, unknown types) are sent as `application/octet-stream`, so that nothing
 * can run even if a browser shows the file instead of saving it.
 */
const TOLD =
  /^(?:application\/(?:zip|rtf|x-cfb|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-(?:word|excel|powerpoint))\.[\w.-]+)|image\/(?:bmp|tiff|heic|heif|avif)|(?:audio|video)\/(?:mpeg|mp4|wav|ogg|webm|quicktime|x-m4a|x-m4v))$/

/** A stored file's name, and the facts about its bytes. */
export type Stored = { name: string; type: string; size: number; sha256: string }

type Disposition = 'inline' | 'attachment'

/** Returns whether opening a file shows it or downloads it. */
export function dispositionOf({ name, type }: Pick<Stored, 'name' | 'type'>): Disposition {
  return SHOWN.has(type) || (type === 'text/plain' && TEXT_NAME.test(name)) ? 'inline' : 'attachment'
}

/** Returns the headers of a whole file, of a part of it, and of a 304, which updates the browser's copy. */
export function headersOf(file: Stored, disposition: Disposition): Record<string, string> {
  return {
    'content-type': sentType(file.type, disposition),
    'content-disposition': contentDisposition(disposition, file.name),
    'content-security-policy': policyOf(file.type, disposition),
    // Only our own pages may frame it, and only if opening shows it. `frame-ancestors` says the same.
    'x-frame-options': disposition === 'inline' ? 'SAMEORIGIN' : 'DENY',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    // The browser asks each time, so that a withdrawn right ends at once.
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag: etagOf(file),
  }
}

const etagOf = ({ sha256 }: Pick<Stored, 'sha256'>) => `"${sha256}"`

export function sentType(type: string, disposition: Disposition): string {
  if (disposition === 'inline') return type === 'text/plain' ? 'text/plain; charset=utf-8' : type
  return SHOWN.has(type) || TOLD.test(type) ? type : 'application/octet-stream'
}

// The browser's own page around a text or a picture has inline styles.
const NOTHING_RUNS = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`

/** Forbids all scripts. Some versions of Chrome show no PDF in a sandbox; its scripts stay inside the viewer anyway. */
function policyOf(type: string, disposition: Disposition): string {
  const isShownPdf = type === 'application/pdf' && disposition === 'inline'
  const policy = `${NOTHING_RUNS}; frame-ancestors ${disposition === 'inline' ? `'self'` : `'none'`}`
  return isShownPdf ? policy : `${policy}; sandbox`
}

/** Writes the header as in RFC 6266: the name in ASCII for old programs, and the real name as in RFC 8187. */
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
      // Some programs decode % even here.
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

type Answer = { status: 200 } | { status: 206; part: ByteRange } | { status: 304 | 412 | 416 }

/** Decides what a request gets of a file, in the order of RFC 9110, 13.2.2. */
export function answerTo(
  method: string,
  headers: RequestHeaders,
  file: Pick<Stored, 'size' | 'sha256'>,
): Answer {
  const etag = etagOf(file)
  const given = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined)
  const [match, noneMatch] = [given('if-match'), given('if-none-match')]
  const [range, ifRange] = [given('range'), given('if-range')]
  if (match !== undefined && !lists(match, etag, 'strong')) return { status: 412 }
  if (noneMatch !== undefined && lists(noneMatch, etag, 'weak')) return { status: 304 }
  // A date in If-Range never matches, because we send no dates.
  if (method !== 'GET' || range === undefined || (ifRange !== undefined && ifRange.trim() !== etag))
    return { status: 200 }
  const part = partOf(range, file.size)
  if (part === 'none') return { status: 416 }
  return part === 'whole' ? { status: 200 } : { status: 206, part }
}

/** Whether a list of ETags has this one. Splits at every comma: our tags have none, and others do not matter. */
function lists(header: string, etag: string, how: 'strong' | 'weak'): boolean {
  return header
    .split(',')
    .map((each) => each.trim())
    .some((each) => each === '*' || each === etag || (how === 'weak' && each === `W/${etag}`))
}

/** Reads a single range. Several ranges or an invalid one mean the whole file. */
export function partOf(range: string, size: number): ByteRange | 'whole' | 'none' {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? []
  // An empty file has no ranges, but some clients always ask for one: they get the whole file.
  if ((from === '' && to === '') || size === 0) return 'whole'
  if (from === '')
    return Number(to) === 0 ? 'none' : { first: Math.max(size - Number(to), 0), last: size - 1 }
  if (to !== '' && Number(to) < Number(from)) return 'whole'
  if (Number(from) >= size) return 'none'
  return { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
