import { unescape } from 'node:querystring'
import { dotted } from '../../../base/field-errors.ts'
import { isReadable } from '../../../base/text.ts'
import { breather } from '../../process/breather.ts'
import { Refusal } from '../errors.ts'

/** The longest text of any field of ours, however its letters are encoded. */
const FIELD_BYTES = 100_000
/** `files[a][name]` has a depth of 2; deeper brackets are part of the last name. */
const MOST_DEPTH = 4

type Fields = { [name: string]: string | Fields }

/** `a[b]=1&a[c]=2` becomes `{a: {b: '1', c: '2'}}`, `a[]=1&a[]=2` becomes `{a: {0: '1', 1: '2'}}`; nothing has a prototype. */
export async function readUrlencoded(text: string, most: number): Promise<Fields> {
  const pairs = text.split('&', most + 1)
  if (pairs.length > most) throw tooLarge()
  const gathered = new FieldSet()
  const breathe = breather()
  for (const pair of pairs) {
    await breathe()
    if (pair === '') continue
    if (pair.length > FIELD_BYTES) throw fieldTooLong()
    const end = pair.indexOf('=')
    gathered.add(decoded(end < 0 ? pair : pair.slice(0, end)), end < 0 ? '' : decoded(pair.slice(end + 1)))
  }
  return gathered.fields
}

/** The longest headers of one field. */
const HEADER_BYTES = 2000

/**
 * Reads the fields of a complete multipart form. Does not use the file parser, which hands over thousands of parts without
 * a pause.
 */
export async function readMultipart(bytes: Buffer, contentType: string, most: number): Promise<Fields> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,200})"|([^;\s"]{1,200}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw broken()
  const gathered = new FieldSet()
  const breathe = breather()
  const line = Buffer.from(`\r\n--${boundary}`)
  const isFirst = bytes.indexOf(line.subarray(2)) === 0
  let at = isFirst ? line.length - 2 : endOf(bytes, line, 0)
  for (let count = 0; bytes.toString('latin1', at, at + 2) !== '--'; count++) {
    await breathe()
    if (count === most) throw tooLarge()
    const start = endOf(bytes, HEADERS_END, at)
    if (start - at > HEADER_BYTES) throw broken()
    const next = endOf(bytes, line, start)
    const end = next - line.length
    if (end - start > FIELD_BYTES) throw fieldTooLong()
    gathered.add(nameIn(bytes.toString('utf8', at, start)), bytes.toString('utf8', start, end))
    at = next
  }
  return gathered.fields
}

const HEADERS_END = Buffer.from('\r\n\r\n')

/** Returns the index right after the next match. */
function endOf(bytes: Buffer, sign: Buffer, from: number): number {
  // An empty value ends where the headers end.
  const at = bytes.indexOf(sign, sign === HEADERS_END ? from : Math.max(from - 2, 0))
  if (at < 0) throw broken()
  return at + sign.length
}

function nameIn(headers: string): string {
  if (/;\s*filename\*?=/i.test(headers)) throw new Refusal(415, 'Her kan der ikke sendes filer.')
  const [, quoted, plain] = /;\s*name=(?:"([^"]*)"|([^;\s"]+))/i.exec(headers) ?? []
  const name = quoted ?? plain
  if (name === undefined) throw broken()
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')
}

const broken = () => new Refusal(400, 'Formularen kom ikke helt frem. Prøv igen.')

/** Bytes that are not UTF-8 become U+FFFD, which is refused at its field. */
const decoded = (text: string) => unescape(text.replaceAll('+', ' '))

export const tooLarge = () => new Refusal(413, 'Formularen er for stor.')
const fieldTooLong = () => new Refusal(413, 'Et felt i formularen er for langt.')

/** Collects the fields of a form by their nested names. */
class FieldSet {
  fields = blank()
  /** The next index of each list that names none. */
  #next = new WeakMap<Fields, number>()

  add(name: string, value: string): void {
    if (name === '') return
    const path = pathOf(name)
    if (path.includes('__proto__')) return
    let at = this.fields
    for (const step of path.slice(0, -1)) at = this.#inside(at, step)
    const last = path.at(-1)!
    const key = last === '' ? this.#number(at) : last
    const before = at[key]
    if (before === undefined) at[key] = value
    else if (typeof before === 'string') at[key] = this.#listOf([before, value])
    else before[this.#number(before)] = value
  }

  #inside(at: Fields, step: string): Fields {
    const key = step === '' ? this.#number(at) : step
    const before = at[key]
    if (typeof before === 'object') return before
    return (at[key] = before === undefined ? blank() : this.#listOf([before]))
  }

  #listOf(values: string[]): Fields {
    const list: Fields = Object.assign(blank(), values)
    this.#next.set(list, values.length)
    return list
  }

  #number(list: Fields): string {
    let number = this.#next.get(list) ?? 0
    while (Object.hasOwn(list, number)) number++
    this.#next.set(list, number + 1)
    return String(number)
  }
}

const blank = () => Object.create(null) as Fields

/** 'files[a][name]' becomes 'files', 'a', 'name'; any other shape is one name. */
function pathOf(name: string): string[] {
  const start = name.indexOf('[')
  if (start < 0) return [name]
  const path = start === 0 ? [] : [name.slice(0, start)]
  let at = start
  while (at < name.length && path.length <= MOST_DEPTH) {
    const end = name.indexOf(']', at)
    if (name[at] !== '[' || end < 0) return [name]
    path.push(name.slice(at + 1, end))
    at = end + 1
  }
  return at < name.length ? [...path, name.slice(at)] : path
}

/** Returns an upper bound of a JSON text's values without parsing it: `{"a":[1,2]}` has 4, the two containers included. */
export async function countJsonValues(text: string): Promise<number> {
  const breathe = breather()
  let count = 1
  let isInside = false
  for (let at = 0; at < text.length; at++) {
    if (at % LOOK_EVERY === 0) await breathe()
    const sign = text.charCodeAt(at)
    if (isInside) {
      if (sign === BACKSLASH) at++
      else if (sign === QUOTE) isInside = false
    } else if (sign === QUOTE) isInside = true
    else if (sign === COMMA || sign === BRACE || sign === BRACKET) count++
  }
  return count
}

/** Reading the clock takes longer than reading a letter. */
const LOOK_EVERY = 16_384

const [QUOTE, BACKSLASH, COMMA, BRACE, BRACKET] = Array.from('"\\,{[', (sign) => sign.charCodeAt(0))

/** Returns the fields whose name or text is unreadable, by their dotted names. */
export async function unreadableFields(body: unknown): Promise<string[]> {
  const breathe = breather()
  const found: string[] = []
  const left: [name: string, value: unknown][] = [['', body]]
  for (let next = left.pop(); next; next = left.pop()) {
    const [name, value] = next
    await breathe()
    if (typeof value === 'string' && !isReadable(value)) found.push(name)
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      const full = name === '' ? dotted(key) : `${name}.${key}`
      if (isReadable(key)) left.push([full, inner])
      else found.push(full.toWellFormed())
    }
  }
  return found
}
