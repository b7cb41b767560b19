import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import type { Caller } from './caller.ts'
import type { Answer } from '../neighbours/nginx.ts'

// An attack by one client with many connections, as a stranger and as a signed-in investor.

export type Attack = (during: AbortSignal, turn: number) => Promise<Answer | void>

/** The attacker, and the data there is. */
export type Scene = {
  port: number
  stranger: Caller
  attacker: Caller
  attackerId: number
  project: number
  /** The addresses of a small file and of a large one that the attacker sees. */
  file: string
  large: string
}

const accents = (length: number) =>
  `a${'\u0301\u0323'.repeat(14)}\u0301`.repeat(length / 30 + 1).slice(0, length)
const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }

/** Sends words on its own connection, and does not read the answer until the time is over. */
export async function hold(port: number, words: string, during: AbortSignal, drip = ''): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const closed = once(socket, 'close').catch(() => undefined)
  socket.pause()
  socket.write(words)
  const timer = drip ? setInterval(() => socket.write(drip), 100) : undefined
  const end = () => void socket.destroy()
  during.addEventListener('abort', end)
  await Promise.race([closed, once(during, 'abort')])
  clearInterval(timer)
  during.removeEventListener('abort', end)
  socket.destroy()
  await sleep(20)
}

export const headOf = (caller: Caller, method: string, path: string, more: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${Object.entries(caller.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}${more}\r\n\r\n`

/** Makes a PNG of 7,000 × 7,000 pixels in few bytes. */
function pngBomb(): Buffer {
  const side = 7000
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const check = Buffer.alloc(4)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(side * (4 * side + 1)))
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export function multipartOf(parts: [field: string, name: string | null, bytes: Buffer | string][]) {
  const body = Buffer.concat([
    ...parts.flatMap(([field, name, bytes]) => [
      Buffer.from(
        `--B\r\nContent-Disposition: form-data; name="${field}"${name === null ? '' : `; filename="${name}"`}\r\n\r\n`,
      ),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--B--\r\n'),
  ])
  return { headers: { 'content-type': 'multipart/form-data; boundary=B' }, body }
}

const companies = () =>
  Object.fromEntries(
    Array.from({ length: 1000 }, (_, row) => [row, { name: accents(600), cvr: accents(90), result: '1' }]),
  )

/** Each prepares its requests before its time begins. */
export const attacksOn = ({
  port,
  stranger,
  attacker,
  attackerId,
  project,
  file,
  large,
}: Scene): Record<string, () => Attack> => ({
  'inflated bodies': () => {
    const body = gzipSync(`email=${accents(2_400_000)}`)
    return () =>
      stranger.call('POST', '/login', { headers: { ...urlencoded, 'content-encoding': 'gzip' }, body })
  },
  'long texts': () => {
    const body = `email=${encodeURIComponent(accents(16_000))}&password=x`
    return () => stranger.call('POST', '/login', { headers: urlencoded, body })
  },
  'forms that are too large': () => {
    const body = Buffer.alloc(8_000_000, 'a=b&')
    return () => stranger.call('POST', '/login', { headers: urlencoded, body })
  },
  'deep brackets': () => {
    const body = `a${'[b]'.repeat(30_000)}=c`
    return () => stranger.call('POST', '/login', { headers: urlencoded, body })
  },
  'wide multipart forms': () => {
    const sent = multipartOf(Array.from({ length: 1200 }, () => ['a', null, 'x']))
    return () => stranger.call('POST', '/login', sent)
  },
  'JSON of nothing but lists': () => {
    const body = `[${'[],'.repeat(30_000)}[]]`
    return () => stranger.call('POST', '/login', { headers: { 'content-type': 'application/json' }, body })
  },
  'slow headers': () => (during) => hold(port, 'GET / HTTP/1.1\r\nX-Slow: ', during, 'a'),
  'slow bodies': () => (during) =>
    hold(
      port,
      headOf(stranger, 'POST', '/login', 'Content-Type: application/json\r\nContent-Length: 90000'),
      during,
      'a',
    ),
  'bodies that are held': () => (during) =>
    hold(
      port,
      headOf(attacker, 'POST', '/my-files', 'Content-Type: application/json\r\nContent-Length: 3600000') +
        `"${'x'.repeat(3_500_000)}`,
      during,
      'a',
    ),
  'sign-in attempts': () => (_during, turn) =>
    stranger.json('/login', { email: `nobody${turn}@example.dk`, password: 'forkert adgangskode' }),
  'password changes': () => () =>
    attacker.json('/profile/password', {
      current_password: 'forkert adgangskode',
      password: 'en helt ny lang en',
    }),
  'uploads that stop': () => (during) =>
    hold(
      port,
      `${headOf(attacker, 'POST', '/api/temp/upload', 'Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 50000000')}--B\r\nContent-Disposition: form-data; name="files[0]"; filename="a.pdf"\r\n\r\n${'x'.repeat(3_000_000)}`,
      during,
    ),
  'uploads of many small files': () => {
    const sent = multipartOf(
      Array.from({ length: 500 }, (_, index) => [`files[${index}]`, `${accents(200)}.pdf`, 'x']),
    )
    return () => attacker.call('POST', '/api/temp/upload', sent)
  },
  'downloads that are never read': () => (during) =>
    hold(port, headOf(attacker, 'GET', large, 'X: y'), during),
  'requests that wait behind each other': () => (during) =>
    hold(port, headOf(attacker, 'GET', `/projects?q=${'a'.repeat(50)}`, 'X: y').repeat(50), during),
  'many ranges': () => () =>
    attacker.call('GET', file, { headers: { range: `bytes=${'0-1,'.repeat(2500)}5-6` } }),
  'lists with the worst search': () => (_during, turn) =>
    attacker.call('GET', `/api/projects?q=${encodeURIComponent(accents(190))}&page=${turn + 1}`),
  pages: () => () => attacker.page(`/projects/${project}/uploads`),
  'images that grow': () => {
    const sent = multipartOf([['file', 'a.png', pngBomb()]])
    return () => attacker.call('POST', '/profile/image', sent)
  },
  'images of the largest size': () => {
    const sent = multipartOf([['file', 'a.png', Buffer.concat([pngBomb(), Buffer.alloc(10_000_000)])]])
    return () => attacker.call('POST', '/profile/image', sent)
  },
  reports: () => {
    const body = JSON.stringify({ version: 0, rows: 1000, companies: companies() })
    return () =>
      attacker.call('POST', `/users/${attackerId}/report`, {
        headers: { 'content-type': 'application/json' },
        body,
      })
  },
  'reports that are saved and read': () => (_during, turn) => {
    const rows = Object.fromEntries(
      Array.from({ length: 1000 }, (_, row) => [row, { name: `K/S ${'Ø'.repeat(150)} ${row}`, result: '1' }]),
    )
    return turn % 5 === 0
      ? attacker.json(`/users/${attackerId}/report`, { version: 0, rows: 1000, companies: rows })
      : attacker.page(`/users/${attackerId}/report`)
  },
  'thousands of names': () => {
    const files = Array.from({ length: 2000 }, (_, index) => ({
      id: `f${index}`,
      name: `${accents(230)}${index}`,
    }))
    return () => attacker.json('/api/upload/duplicates', { files })
  },
  'forms of thousands of files': () => {
    const files = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [
        `f${index}`,
        { name: `${accents(245)}.pdf`, data: 'a'.repeat(32) },
      ]),
    )
    return () => attacker.json('/my-files', { files })
  },
})
