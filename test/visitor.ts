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

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  get(url: string, options: InjectOptions = {}): Promise<LightMyRequestResponse> {
    return this.#inject({ url, ...options })
  }

  /** Sends a form, with the token of a page that was just opened. */
  async post(url: string, fields: Fields = {}, options: Post = {}): Promise<LightMyRequestResponse> {
    const { method = 'POST', script = false, headers = {}, address, noToken = false } = options
    if (!noToken) await this.get('/findes-ikke') // any page sets a token, and this one is open to everybody
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

  signIn(email: string, password: string, options: Post = {}): Promise<LightMyRequestResponse> {
    return this.post('/login', { email, password }, options)
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
