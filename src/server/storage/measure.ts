import { createHash, hash } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { crc32 } from 'node:zlib'
import { fileTypeFromBuffer } from 'file-type'

/** The checksums of all bytes: one that identifies them, and one that a ZIP archive needs. */
export type ByteSums = { sha256: string; crc32: number }

export type Measured = ByteSums & { size: number; type: string }

/** Sums up bytes as they pass. The CRC-32 adds less than half to the time that the SHA-256 takes. */
export class Summing {
  #hash = createHash('sha256')
  #crc = 0

  update(chunk: Buffer): void {
    this.#hash.update(chunk)
    this.#crc = crc32(chunk, this.#crc)
  }

  /** Ends the summing. */
  digest(): ByteSums {
    return { sha256: this.#hash.digest('hex'), crc32: this.#crc }
  }
}

/** Passes bytes on unchanged; their number and SHA-256 are known when all have passed. */
export class HashedBytes implements AsyncIterable<Buffer> {
  size = 0
  #bytes: AsyncIterable<Buffer> | Iterable<Buffer>
  #heard: ((bytes: number) => void) | undefined
  #hash = createHash('sha256')

  /** `heard` is called with the size of each chunk. */
  constructor(bytes: AsyncIterable<Buffer> | Iterable<Buffer>, heard?: (bytes: number) => void) {
    this.#bytes = bytes
    this.#heard = heard
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.#bytes) {
      this.#hash.update(chunk)
      this.size += chunk.length
      this.#heard?.(chunk.length)
      yield chunk
    }
  }

  /** Ends the hashing. */
  digest(): string {
    return this.#hash.digest('hex')
  }
}

/** Returns the SHA-256 of a whole stream. */
export async function hashBytes(bytes: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<string> {
  const sum = createHash('sha256')
  for await (const chunk of bytes) {
    signal?.throwIfAborted()
    sum.update(chunk)
  }
  return sum.digest('hex')
}

export class TooLarge extends Error {
  limit: number
  constructor(limit: number) {
    super(`More than ${limit} bytes.`)
    this.limit = limit
  }
}

/** Enough to tell a Word document from any other ZIP file. */
export const HEAD = 64 * 1024

/** Passes bytes on unchanged and measures their size, sums and type. */
export class Measure extends Transform {
  #limit: number
  #size = 0
  #sums = new Summing()
  #head: Buffer[] = []
  #headSize = 0

  constructor(limit: number) {
    super({ highWaterMark: 256 * 1024 })
    this.#limit = limit
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#size += chunk.length
    if (this.#size > this.#limit) return done(new TooLarge(this.#limit))
    this.#sums.update(chunk)
    if (this.#headSize < HEAD) {
      this.#head.push(chunk.subarray(0, HEAD - this.#headSize))
      this.#headSize += chunk.length
    }
    done(null, chunk)
  }

  async result(): Promise<Measured> {
    return {
      size: this.#size,
      ...this.#sums.digest(),
      type: await typeOf(Buffer.concat(this.#head)),
    }
  }
}

/** A part of a file, with the SHA-256 that its sender gave. */
export type Piece = { first: number; size: number; sha256: string }

/**
 * Compares a file, read from its beginning, with the checksums of its pieces, which are in order and may have gaps.
 */
export class PieceCheck {
  #pieces: Piece[]
  #position = 0
  #hash = createHash('sha256')
  isRight = true

  constructor(pieces: Piece[]) {
    this.#pieces = [...pieces]
  }

  update(chunk: Buffer): void {
    for (let from = 0; from < chunk.length;) {
      const piece = this.#pieces[0]
      if (!piece) return
      const until = this.#position < piece.first ? piece.first : piece.first + piece.size
      const part = chunk.subarray(from, from + until - this.#position)
      if (this.#position >= piece.first) this.#hash.update(part)
      from += part.length
      this.#position += part.length
      if (this.#position < piece.first + piece.size) continue
      this.isRight &&= this.#hash.digest('hex') === piece.sha256
      this.#hash = createHash('sha256')
      this.#pieces.shift()
    }
  }
}

/** Measures bytes that are in memory. */
export async function measureAtOnce(bytes: Buffer): Promise<Measured> {
  return {
    size: bytes.length,
    sha256: hash('sha256', bytes),
    crc32: crc32(bytes),
    type: await typeOf(bytes.subarray(0, HEAD)),
  }
}

/** Returns the type that the first bytes show. It never uses the type that a client gives. */
export async function typeOf(head: Buffer): Promise<string> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found && !MAY_BE_TEXT.has(found.mime)) return found.mime
  const text = textIn(head)
  if (text === null) return found?.mime ?? 'application/octet-stream'
  return markupIn(text) ?? 'text/plain'
}

/** Types that file-type finds by two letters or a declaration alone: 'BMW …' is not a picture, and SVG is XML. */
const MAY_BE_TEXT = new Set(['image/bmp', 'application/x-msdownload', 'application/xml'])

// oxlint-disable-next-line no-control-regex -- control characters are what tells text from other bytes
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f]/

function textIn(head: Buffer): string | null {
  if (BINARY.test(head.toString('latin1'))) return null // much quicker than decoding
  // `stream` allows a last character that is cut in the middle. decode() drops a byte order mark.
  const text = new TextDecoder().decode(head, { stream: true })
  return text.includes('\ufffd') ? null : text
}

// Allowed before the first element of a page: white space, comments, instructions, a doctype.
const BEFORE = /\s+|<!--[^]*?-->|<\?[^]*?\?>|<!doctype(?<doctype>[^[>]*(?:\[[^\]]*\][^>]*)?)>/iy
const ELEMENT = /<(?<name>[a-z][\w.-]*(?::[\w.-]+)?)(?<rest>[^>]*)/iy
// Elements that begin a page or do something in one. A text may begin with any other word in angle brackets.
const HTML =
  /^(?:html|head|body|title|meta|link|base|style|script|noscript|template|frameset|iframe|object|embed|applet|img|picture|video|audio|source|canvas|math|form|input|button|textarea|select|details|dialog|marquee|table|t[rdh]|div|span|p|br|hr|a|b|i|u|em|strong|font|center|pre|code|h[1-6]|ul|ol|li|dl|nav|main|header|footer|section|article|aside|blockquote|xmp|plaintext)$/i

/**
 * Returns the type of HTML, SVG or other XML, which a browser would run if we sent that type; null for other text.
 */
function markupIn(text: string): string | null {
  const { at, isXml, doctype } = readBefore(text)
  ELEMENT.lastIndex = at
  const { name = '', rest = '' } = ELEMENT.exec(text)?.groups ?? {}
  const local = name.replace(/^.*:/, '').toLowerCase()
  if (local === 'svg' || /^svg\b/i.test(doctype)) return 'image/svg+xml'
  // To a browser, an unclosed comment is HTML too.
  const isPage = isXml ? local === 'html' : HTML.test(local)
  if (isPage || /^html\b/i.test(doctype) || text.startsWith('<!--', at)) return 'text/html'
  return isXml || doctype !== '' || /\sxmlns(?::[\w.-]+)?\s*=/.test(rest) ? 'application/xml' : null
}

/** Reads what comes before the first element, which begins at `at`. */
function readBefore(text: string): { at: number; isXml: boolean; doctype: string } {
  let [at, isXml, doctype] = [0, false, '']
  for (;;) {
    BEFORE.lastIndex = at
    const before = BEFORE.exec(text)
    if (!before) return { at, isXml, doctype }
    at += before[0].length
    isXml ||= /^<\?xml\b/i.test(before[0])
    doctype ||= before.groups?.doctype?.trim() ?? ''
  }
}
