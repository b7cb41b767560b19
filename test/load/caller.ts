import { randomUUID } from 'node:crypto'
import { PASSWORD } from '../make.ts'
import type { Answer, Sending } from '../neighbours/nginx.ts'

export type Way = (method: string, path: string, sending?: Sending) => Promise<Answer>

/** Calls Ringbind as a browser does, with cookies and a token, over any kind of connection. */
export class Caller {
  cookies = new Map<string, string>()
  #way: Way

  constructor(way: Way) {
    this.#way = way
  }

  /** Returns a caller with the same cookies over another connection. */
  by(way: Way): Caller {
    const caller = new Caller(way)
    caller.cookies = this.cookies
    return caller
  }

  get token(): string {
    return decodeURIComponent(this.cookies.get('XSRF-TOKEN') ?? '')
  }

  get headers(): Record<string, string> {
    return {
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      accept: 'application/json',
      'x-requested-with': 'XMLHttpRequest',
      ...(this.token && { 'x-xsrf-token': this.token }),
    }
  }

  async call(method: string, path: string, { headers, body }: Sending = {}): Promise<Answer> {
    const answer = await this.#way(method, path, {
      headers: { ...this.headers, ...headers },
      ...(body !== undefined && { body }),
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    return answer
  }

  json(path: string, fields: object, method = 'POST'): Promise<Answer> {
    return this.call(method, path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    })
  }

  /** Opens a page, which sets the session's token. */
  page(path = '/findes-ikke'): Promise<Answer> {
    return this.call('GET', path, { headers: { accept: 'text/html', 'x-requested-with': '' } })
  }

  /** Returns the answer to the sign-in, or the first answer that failed. */
  async signIn(email: string): Promise<Answer> {
    for (const name of ['__Host-session', 'XSRF-TOKEN']) this.cookies.delete(name)
    const page = await this.page('/login')
    if (page.status !== 200) return page
    const answer = await this.json('/login', { email, password: PASSWORD })
    if (answer.status !== 200) return answer
    const next = await this.page() // not found, but sets the session's token
    return next.status === 404 ? answer : next
  }

  /** Sends whole files in one call. The answer has their hash_names. */
  sendWhole(files: { name: string; bytes: Buffer }[]): Promise<Answer> {
    const boundary = randomUUID()
    const body = Buffer.concat([
      ...files.flatMap(({ name, bytes }, index) => [
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="files[${index}]"; filename="${name}"\r\n` +
            'Content-Type: application/octet-stream\r\n\r\n',
        ),
        bytes,
        Buffer.from('\r\n'),
      ]),
      Buffer.from(`--${boundary}--\r\n`),
    ])
    return this.call('POST', '/api/temp/upload', {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body,
    })
  }

  announce(name: string, size: number): Promise<Answer> {
    return this.call('POST', '/api/temp/tus', {
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': String(size),
        'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
      },
    })
  }

  sendPiece(path: string, offset: number, piece: Buffer): Promise<Answer> {
    return this.call('PATCH', path, {
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body: piece,
    })
  }

  askOffset(path: string): Promise<Answer> {
    return this.call('HEAD', path, { headers: { 'tus-resumable': '1.0.0' } })
  }
}
