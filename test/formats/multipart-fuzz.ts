import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import { urls } from '../../src/urls.ts'
import type { Chance } from '../chance.ts'

/** A call, with the exact bytes that are sent. */
export type Call = {
  /** Names of the changes that were made to it. */
  kinds: string[]
  head: string
  body: Buffer
  /** The body that a server finds by the stated length; null if that is undefined. */
  told: Buffer | null
  boundary: string
  /** Its files, if it is unchanged. */
  intact: { name: string; bytes: Buffer }[] | null
  /** How the client leaves the connection: half-closed, open, or broken off. */
  leaves: 'ended' | 'open' | 'broken'
}

export type Answer = { status: number | 'none' | 'hangs'; body: string }

type Part = { headers: string[]; bytes: Buffer }
type Form = { type: string; boundary: string; parts: Part[]; before: Buffer; end: string; after: Buffer }

const NAMES = ['a.pdf', 'Årsrapport (1024) 2023.pdf', 'b b.docx', 'x'.repeat(255), '📊.xlsx', "o'hara;=.txt"]
const POOL = randomBytes(200_000)

/** Makes a correct call and puts up to three faults into it, sometimes none. */
export function anyCall(chance: Chance, headers: Record<string, string>): Call {
  const form = anyForm(chance)
  const intact = form.parts.map(({ bytes }, index) => ({ name: nameIn(form.parts[index]!), bytes }))
  const kinds: string[] = []
  for (let count = chance.of([0, 1, 1, 1, 1, 2]); count > 0; count--) {
    const [kind, change] = chance.of(FORM_CHANGES)
    kinds.push(kind)
    change(form, chance)
  }
  let body = bytesOf(form)
  for (let count = chance.of([0, 0, 1, 1, 2]); count > 0; count--) {
    const [kind, change] = chance.of(BYTE_CHANGES)
    kinds.push(kind)
    body = change(body, chance)
  }
  const framed = frame(body, chance)
  if (framed.kind) kinds.push(framed.kind)
  const head = [
    `POST ${urls.temporaryUpload} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(form.type === '' ? [] : [`Content-Type: ${form.type}`]),
    ...framed.headers,
  ]
  if (chance.number(300) === 0) {
    kinds.push('huge request')
    head.push(`X-Long: ${'x'.repeat(chance.number(40_000))}`)
  }
  // A server does not answer on a half-closed connection; only a call without a correct length must be half-closed.
  const leaves = chance.number(12) === 0 ? 'broken' : framed.told ? 'open' : 'ended'
  return {
    kinds,
    head: `${head.join('\r\n')}\r\n\r\n`,
    body: framed.body,
    told: framed.told,
    boundary: form.boundary,
    intact: kinds.length === 0 ? intact : null,
    leaves,
  }
}

function anyForm(chance: Chance): Form {
  const boundary = chance.of(['xxxBOUNDARYxxx', '----WebKitFormBoundary7MA4YWxkTrZu0gW', 'a', "'()+_,-./:=?"])
  const quoted = /^[\w-]+$/.test(boundary) && chance.number(2) === 0 ? boundary : `"${boundary}"`
  const parts = Array.from({ length: chance.of([1, 1, 1, 2, 3]) }, (_, index) => {
    const size = 1 + chance.number(chance.of([10, 3000, 3000, 60_000, 99_000]))
    const from = chance.number(POOL.length - size)
    return {
      headers: [
        `Content-Disposition: form-data; name="files[${index}]"; filename="${chance.of(NAMES)}"`,
        'Content-Type: application/pdf',
      ],
      bytes: POOL.subarray(from, from + size),
    }
  })
  const [before, after] = [Buffer.alloc(0), Buffer.alloc(0)]
  return { type: `multipart/form-data; boundary=${quoted}`, boundary, parts, before, end: '--\r\n', after }
}

const nameIn = ({ headers }: Part) => /filename="(.*)"/.exec(headers[0]!)![1]!

function bytesOf({ boundary, parts, before, end, after }: Form): Buffer {
  return Buffer.concat([
    before,
    ...parts.flatMap(({ headers, bytes }) => [
      Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}${end}`),
    after,
  ])
}

// Changes to a form

type FormChange = (form: Form, chance: Chance) => void

/** Parameters after `form-data`. */
const PARAMETERS = [
  'name="files[0]"',
  'name=files[0]',
  'filename="a.pdf"',
  'name="files[1]"; name="files[2]"; filename="a.pdf"; filename="b.pdf"',
  `name="files[0]"; filename*=UTF-8''%C3%85rsrapport%20%281024%29.pdf`,
  `name="files[0]"; filename*=UTF-8''%ZZ%C3%28`,
  `name="files[0]"; filename*=iso-8859-1'da'%C5rsrapport.pdf; filename="b.pdf"`,
  `name="files[0]"; filename*=findes-ikke''%C5.pdf`,
  `name="files[0]"; filename*0="a"; filename*1="b.pdf"`,
  `name*=UTF-8''files%5B0%5D; filename="a.pdf"`,
  'name="files[0]"; filename="../../../etc/passwd"',
  'name="files[0]"; filename="C:\\\\Papirer\\\\a.pdf"',
  'name="files[0]"; filename="a\\".pdf"',
  'name="files[0]"; filename="a.pdf',
  'name="files[0]"; filename=',
  'name="files[0]"; filename=""',
  'name="files[0]"; filename="\u0000"',
  'name="files[0]"; filename="a\u0000.pdf"',
  'name="files[0]"; filename="\u200b"',
  'name="files[0]"; filename="a\rb.pdf"',
  'name="files[0]"; filename="a\nb.pdf"',
  `name="files[0]"; filename="${'ø'.repeat(2000)}"`,
  'name="files[-1]"; filename="a.pdf"',
  'name="files[0.5]"; filename="a.pdf"',
  'name="files[9999999999]"; filename="a.pdf"',
  'name="files[999999999]"; filename="a.pdf"',
  'name="files[007]"; filename="a.pdf"',
  'name="files[]"; filename="a.pdf"',
  'name="files"; filename="a.pdf"',
  'name="files[0][name]"; filename="a.pdf"',
  'name="__proto__"; filename="a.pdf"',
  'name="constructor"',
  'name="toString"; filename="a.pdf"',
  'name="_token"',
  '',
  ';;;;',
  '='.repeat(100),
]

const anyPart = ({ parts }: Form, chance: Chance): Part =>
  parts[chance.number(parts.length)] ?? { headers: [], bytes: Buffer.alloc(0) }

const FORM_CHANGES: [string, FormChange][] = [
  ['parameters', (form, chance) => changeHeader(form, chance, `form-data; ${chance.of(PARAMETERS)}`)],
  ['parameters', (form, chance) => changeHeader(form, chance, `form-data; ${chance.of(PARAMETERS)}`)],
  ['parameters', (form, chance) => changeHeader(form, chance, `form-data; ${chance.of(PARAMETERS)}`)],
  [
    'disposition',
    (form, chance) => changeHeader(form, chance, chance.of(['attachment', 'inline', '', 'form-data'])),
  ],
  [
    'type of a part',
    (form, chance) => {
      anyPart(form, chance).headers[1] = `Content-Type: ${chance.of([
        'text/plain; charset=findes-ikke',
        'text/plain; charset=utf-16le',
        'text/plain; charset="',
        'application/json',
        'application/octet-stream',
        'multipart/mixed; boundary=inner',
        '',
        ';',
        '\u0000',
      ])}`
    },
  ],
  ['no headers', (form, chance) => void anyPart(form, chance).headers.splice(0)],
  ['garbage in headers', (form, chance) => void anyPart(form, chance).headers.unshift(garbage(chance))],
  [
    'huge headers',
    (form, chance) => {
      const size = chance.of([1000, 20_000, 79_000, 82_000, 200_000])
      anyPart(form, chance).headers.push(`X-Long: ${'x'.repeat(size)}`)
    },
  ],
  [
    'many headers',
    (form, chance) => {
      const many = chance.of([100, 1999, 2001, 5000])
      anyPart(form, chance).headers.push(...Array.from({ length: many }, (_, index) => `X-${index}: y`))
    },
  ],
  [
    'transfer encoding',
    (form, chance) =>
      void anyPart(form, chance).headers.push(
        `Content-Transfer-Encoding: ${chance.of(['base64', 'quoted-printable', 'x', ''])}`,
      ),
  ],
  ['repeated part', (form, chance) => void form.parts.push(anyPart(form, chance))],
  [
    'many parts',
    (form, chance) => {
      const many = chance.of([15, 20, 25, 40])
      const [bytes, isField] = [Buffer.from('x'), chance.number(2) === 0]
      form.parts = Array.from({ length: many }, (_, index) => ({
        headers: [
          `Content-Disposition: form-data; name="files[${index}]"${isField ? '' : '; filename="a.pdf"'}`,
        ],
        bytes,
      }))
    },
  ],
  ['no parts', (form) => void form.parts.splice(0)],
  ['empty file', (form, chance) => void (anyPart(form, chance).bytes = Buffer.alloc(0))],
  [
    'large file',
    (form, chance) => void (anyPart(form, chance).bytes = POOL.subarray(0, 100_000 + chance.number(3))),
  ],
  [
    'large field',
    (form, chance) => {
      const part = anyPart(form, chance)
      part.headers = ['Content-Disposition: form-data; name="note"']
      part.bytes = POOL.subarray(0, chance.number(5000))
    },
  ],
  [
    'nested',
    (form, chance) => {
      const part = anyPart(form, chance)
      part.headers = [
        'Content-Disposition: form-data; name="files[0]"',
        'Content-Type: multipart/mixed; boundary=inner',
      ]
      part.bytes = Buffer.from(
        `--inner\r\nContent-Disposition: attachment; filename="a.pdf"\r\n\r\nx\r\n--inner--\r\n`,
      )
    },
  ],
  [
    'boundary inside',
    (form, chance) =>
      void (anyPart(form, chance).bytes = Buffer.from(
        `x\r\n--${form.boundary}${chance.of(['', '-', '--', 'x', '\n', '\r\n', '\r\n\r\n'])}y`,
      )),
  ],
  [
    'wrong boundary',
    (form, chance) =>
      void (form.type = `multipart/form-data; boundary=${chance.of(['andet', form.boundary.slice(1) || 'b', `${form.boundary}x`])}`),
  ],
  [
    'type',
    (form, chance) => {
      form.type = chance.of([
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'multipart/form-data; boundary=""',
        'multipart/form-data; boundary="a',
        `multipart/form-data; boundary=${'b'.repeat(chance.of([70, 200, 5000]))}`,
        `multipart/form-data; boundary=x; boundary=${form.boundary}`,
        `multipart/form-data; charset=utf-16le; boundary=${form.boundary}`,
        'multipart/mixed; boundary=a',
        'application/json',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-datax; boundary=a',
        ';',
        '',
      ])
    },
  ],
  [
    'no end',
    (form, chance) => void (form.end = chance.of(['', '\r\n', '-', '-\r\n', ' --\r\n', '\r\n--\r\n'])),
  ],
  ['doubled end', (form) => void (form.after = Buffer.from(`--${form.boundary}--\r\n`))],
  ['something before', (form, chance) => void (form.before = Buffer.from(`${garbage(chance)}\r\n`))],
  ['something after', (form, chance) => void (form.after = POOL.subarray(0, chance.number(70_000)))],
  [
    'doubled boundary',
    (form, chance) => {
      const part = anyPart(form, chance)
      part.headers.unshift(`--${form.boundary}`)
    },
  ],
]

function changeHeader(form: Form, chance: Chance, value: string): void {
  const part = anyPart(form, chance)
  part.headers[0] = `${chance.of(['Content-Disposition', 'content-disposition', 'Content-Disposition '])}: ${value}`
}

function garbage(chance: Chance): string {
  const bits = [
    '\0',
    ':',
    ': :',
    '\r',
    '\n',
    ' ',
    '\t',
    'x',
    '\u007f',
    'æ',
    '--',
    ';',
    '="',
    '%00',
    '\\',
    '(',
    '\u2028',
  ]
  return Array.from({ length: 1 + chance.number(30) }, () => chance.of(bits)).join('')
}

// Changes to its bytes

type ByteChange = (body: Buffer, chance: Chance) => Buffer

const BYTE_CHANGES: [string, ByteChange][] = [
  ['cut', (body, chance) => body.subarray(0, chance.number(body.length + 1))],
  ['cut', (body, chance) => body.subarray(0, Math.max(body.length - chance.number(60), 0))],
  ['cut in front', (body, chance) => body.subarray(chance.number(Math.min(body.length, 60) + 1))],
  ['NULs', (body, chance) => splice(body, anywhere(body, chance), 0, Buffer.alloc(1 + chance.number(20)))],
  [
    'other bytes',
    (body, chance) => splice(body, anywhere(body, chance), 3, POOL.subarray(0, chance.number(6))),
  ],
  [
    'missing bytes',
    (body, chance) => splice(body, anywhere(body, chance), chance.number(100), Buffer.alloc(0)),
  ],
  [
    'doubled bytes',
    (body, chance) => {
      const at = anywhere(body, chance)
      return splice(body, at, 0, body.subarray(at, at + chance.number(300)))
    },
  ],
  ['lone CR', (body, chance) => replaceLineBreaks(body, chance, '\r')],
  ['lone LF', (body, chance) => replaceLineBreaks(body, chance, '\n')],
  ['turned line break', (body, chance) => replaceLineBreaks(body, chance, '\n\r')],
]

/** Returns a random place, mostly near the front, where the headers are. */
const anywhere = (body: Buffer, chance: Chance) =>
  chance.number(Math.min(body.length, chance.of([200, 200, Infinity])) + 1)

const splice = (body: Buffer, at: number, gone: number, more: Buffer) =>
  Buffer.concat([body.subarray(0, at), more, body.subarray(at + gone)])

/** Replaces one of the line breaks, or all of them. */
function replaceLineBreaks(body: Buffer, chance: Chance, by: string): Buffer {
  const lines = body.toString('latin1').split('\r\n')
  const one = chance.number(3) === 0 ? null : chance.number(lines.length)
  const joined = lines.map((line, index) => line + (one === null || one === index ? by : '\r\n')).join('')
  return Buffer.from(joined, 'latin1')
}

// How the call states its length

type Frame = { kind?: string; headers: string[]; body: Buffer; told: Buffer | null }

function frame(body: Buffer, chance: Chance): Frame {
  const length = (text: number | string) => [`Content-Length: ${text}`]
  const way = chance.number(20)
  if (way === 0) {
    const short = chance.number(body.length + 1)
    return { kind: 'short length', headers: length(short), body, told: body.subarray(0, short) }
  }
  if (way === 1)
    return { kind: 'long length', headers: length(body.length + 1 + chance.number(5000)), body, told: null }
  if (way === 2)
    return {
      kind: 'no length',
      headers: chance.of([[], length('x'), length(-1), length('1e3')]),
      body,
      told: null,
    }
  if (way <= 4) {
    const chunked = Buffer.concat([...chunksOf(body, chance), Buffer.from('0\r\n\r\n')])
    return { headers: ['Transfer-Encoding: chunked'], body: chunked, told: body }
  }
  if (way === 5) {
    const chunked = splice(
      Buffer.concat(chunksOf(body, chance)),
      chance.number(body.length),
      2,
      Buffer.from('zz'),
    )
    return { kind: 'broken chunks', headers: ['Transfer-Encoding: chunked'], body: chunked, told: null }
  }
  return { headers: length(body.length), body, told: body }
}

function chunksOf(body: Buffer, chance: Chance): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const piece = body.subarray(at, at + 1 + chance.number(20_000))
    chunks.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
    at += piece.length
  }
  return chunks
}

// Sending

/** Sends a call over its own socket, in uneven pieces, and returns the first answer. */
export async function sendCall(
  call: Call,
  port: number,
  chance: Chance,
  patienceMs: number,
): Promise<Answer> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => resolve({ status: 'hangs', body: '' }), patienceMs)
  let got = Buffer.alloc(0)
  socket.on('data', (bytes: Buffer) => {
    got = Buffer.concat([got, bytes])
    const answer = answerIn(got)
    if (answer) resolve(answer)
  })
  socket.on('error', () => undefined)
  for (const event of ['end', 'close'])
    socket.on(event, () => resolve(answerIn(got) ?? { status: 'none', body: '' }))
  const bytes = Buffer.concat([Buffer.from(call.head), call.body])
  const stop = call.leaves === 'broken' ? chance.number(bytes.length) : bytes.length
  for (let at = 0; at < stop && socket.writable;) {
    const next = Math.min(at + 1 + chance.number(chance.of([40, 2000, 70_000, 70_000])), stop)
    socket.write(bytes.subarray(at, next))
    at = next
    await nextTurn()
  }
  if (call.leaves !== 'open') await sleep(chance.number(call.leaves === 'ended' ? 40 : 5))
  if (call.leaves === 'ended') socket.end()
  if (call.leaves === 'broken') socket.destroy()
  const answer = await promise
  clearTimeout(timer)
  socket.destroy()
  return answer
}

/** Returns the first complete answer. */
function answerIn(bytes: Buffer): Answer | null {
  const text = bytes.toString()
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = text.slice(0, end)
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? NaN)
  const body = bytes.subarray(Buffer.byteLength(head) + 4)
  if (!(body.length >= length)) return null
  return { status: Number(head.split(' ')[1]), body: body.subarray(0, length).toString() }
}

// Checking answers

const REFUSED = new Set([400, 413, 415, 422, 431])

/** Returns the faults of an answer; an empty list if it is allowed. */
export function faultsOf({ intact, told, boundary, leaves }: Call, { status, body }: Answer): string[] {
  if (status === 'none') return leaves === 'open' ? ['was closed without an answer'] : []
  if (status === 'hangs') return ['hangs']
  if (status !== 200) {
    if (!REFUSED.has(status)) return [`was answered ${status} ${body}`]
    return intact && leaves !== 'broken' ? [`is right, and was answered ${status} ${body}`] : []
  }
  const files = JSON.parse(body) as TemporaryFile[]
  const faults = files.flatMap(({ name, size, hash_name: hash }) =>
    name === '' || name.length > 255 || /\p{Cc}/u.test(name) || !(size > 0) || !/^[0-9a-f]{32}$/.test(hash)
      ? [`was acknowledged as ${JSON.stringify(files)}`]
      : [],
  )
  if (files.length === 0) faults.push('was acknowledged as nothing')
  if (told && !told.includes(`--${boundary}--`)) faults.push('has no end, and was acknowledged')
  if (intact && files.map(({ name }) => name).join('\n') !== intact.map(({ name }) => name).join('\n'))
    faults.push(`was acknowledged as ${JSON.stringify(files)}`)
  return faults
}
