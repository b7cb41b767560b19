import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'

type Fields = Record<string, unknown>
type Post = {
  method?: 'POST' | 'DELETE' | 'PATCH'
  script?: boolean
  headers?: Record<string, string>
  address?: string
  noToken?: boolean
}

/** A browser for route tests. It keeps cookies and sends forms, with JavaScript (`script`) or without. */
export class Visitor {
  cookies = new Map<string, string>()
  #app: FastifyInstance
  /** The session of the last page that was opened for its token. */
  #opened: { session: string } | null = null

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  get(url: string, options: InjectOptions = {}): Promise<LightMyRequestResponse> {
    return this.#inject({ url, ...options })
  }

  /** Sends a form, with the token of a page that was opened in the same session. */
  async post(url: string, fields: Fields = {}, options: Post = {}): Promise<LightMyRequestResponse> {
    const { method = 'POST', script = false, headers = {}, address, noToken = false } = options
    if (!noToken) await this.#openPage()
    const token = noToken ? undefined : decodeURIComponent(this.cookies.get('XSRF-TOKEN') ?? '')
    return this.#inject({
      method,
      url,
      payload: script || noToken ? fields : { ...fields, _token: token },
      headers: {
        ...(script && { 'x-requested-with': 'XMLHttpRequest', ...(token && { 'x-xsrf-token': token }) }),
        ...headers,
      },
      ...(address && { remoteAddress: address }),
    })
  }

  /** Sends one file, with JavaScript. */
  async postFile(
    url: string,
    name: string,
    bytes: Buffer | string,
    field = 'file',
  ): Promise<LightMyRequestResponse> {
    await this.#openPage()
    const boundary = 'end-of-part'
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n`
    return this.#inject({
      method: 'POST',
      url,
      payload: Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(`\r\n--${boundary}--\r\n`)]),
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'x-requested-with': 'XMLHttpRequest',
        'x-xsrf-token': decodeURIComponent(this.cookies.get('XSRF-TOKEN') ?? ''),
      },
    })
  }

  signIn(email: string, password: string, options: Post = {}): Promise<LightMyRequestResponse> {
    return this.post('/login', { email, password }, options)
  }

  /** Opens a page once in each session. Any page sets a token, and this one is open to everybody. */
  async #openPage(): Promise<void> {
    const session = () =>
      ['session', '__Host-session', 'view'].map((name) => this.cookies.get(name) ?? '').join()
    if (this.cookies.has('XSRF-TOKEN') && this.#opened && this.#opened.session === session()) return
    await this.get('/findes-ikke')
    this.#opened = { session: session() }
  }

  async #inject(options: InjectOptions): Promise<LightMyRequestResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.#app.inject({ ...options, headers: { cookie, ...options.headers } })
    for (const { name, value, ...more } of response.cookies as {
      name: string
      value: string
      expires?: Date
    }[]) {
      if (more.expires && more.expires.getTime() <= Date.now()) this.cookies.delete(name)
      else this.cookies.set(name, encodeURIComponent(value))
    }
    return response
  }
}
