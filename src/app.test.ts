import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../test/app.ts'
import { enter } from '../test/enter.ts'
import { Visitor } from '../test/visitor.ts'
import { conflict, forbidden, invalid } from './server/http/errors.ts'

const visit = { config: { right: 'visit' } } as const

const routes = (app: FastifyInstance) => {
  app.get('/boom/:id', visit, () => {
    throw Object.assign(new Error('secret machinery'), { detail: 'Key (email)=(ole@example.dk) exists' })
  })
  app.get('/gone', visit, () => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' })
  })
  app.get('/mine', visit, () => {
    throw forbidden()
  })
  app.post('/form', visit, () => {
    throw invalid({ name: ['Navnet skal udfyldes.'], cvr: ['CVR-nummeret er forkert.'] })
  })
  app.post('/api/order', visit, () => {
    throw conflict('Rækkefølgen er ændret af en anden.')
  })
  app.post('/echo', visit, ({ body }) => ({ body }))
  app.get('/slow', visit, async () => {
    await sleep(500)
    return 'done'
  })
  app.get('/kept', visit, (_request, reply) => reply.header('cache-control', 'private, max-age=60').send({}))
  app.get('/text', visit, () => 'æ'.repeat(5000))
}

let test: TestApp
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, routes, env: { TRUST_PROXY: '1' } })
})

describe('a page', () => {
  it('S1.2 a page is rendered on the server inside #app, together with its props', async () => {
    const { statusCode, body, headers } = await test.app.inject('/login')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toContain('<html lang="da"')
    expect(body).toMatch(/<div id="app">.*<h1[^>]*>Log ind<\/h1>.*<\/div>/s)
    expect(body).toContain('"name":"login"')
  })

  it.each([
    ['', 'auto'],
    ['theme=dark', 'dark'],
    ['theme=light', 'light'],
    ['theme="><script>', 'auto'],
  ])('a page gets its theme from the cookie %j', async (cookie, theme) => {
    const { body } = await test.app.inject({ url: '/login', headers: { cookie } })
    expect(body).toContain(`data-theme="${theme}"`)
  })

  it('a page allows no inline script, no framing and no foreign code', async () => {
    const { headers, body } = await test.app.inject('/login')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain(`default-src 'none'`)
    expect(policy).toContain(`script-src 'self';`)
    expect(policy).toContain(`frame-ancestors 'none'`)
    expect(policy).not.toContain('unsafe')
    expect(body).not.toMatch(/<script(?![^>]*(src=|type="application\/json"))/)
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('a page is compressed', async () => {
    const { headers, rawPayload } = await test.app.inject({
      url: '/login',
      headers: { 'accept-encoding': 'br' },
    })
    expect(headers['content-encoding']).toBe('br')
    expect(String(brotliDecompressSync(rawPayload))).toContain('Log ind')
  })
})

describe('assets', () => {
  it('assets are immutable and precompressed', async () => {
    const { body } = await test.app.inject('/login')
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(body)![1]!
    const { headers } = await test.app.inject({ url: script, headers: { 'accept-encoding': 'br' } })
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-encoding']).toBe('br')
  })

  it.each(['/assets/../package.json', '/assets/%2e%2e/manifest.json', '/assets/nope.js'])(
    'the asset %s answers 404',
    async (url) => {
      expect((await test.app.inject(url)).statusCode).toBe(404)
    },
  )
})

describe('an error', () => {
  it('an error is a Danish page for a browser', async () => {
    const { statusCode, body } = await test.app.inject('/findes-ikke')
    expect(statusCode).toBe(404)
    expect(body).toContain('<title>Siden findes ikke · Ringbind</title>')
    expect(body).toContain('eller adressen er skrevet forkert')
  })

  it.each([
    ['/mine', 403, 'Ingen adgang', true],
    ['/findes-ikke', 404, 'Siden findes ikke', true],
    ['/boom/1', 500, 'Noget gik galt', true],
    ['/gone', 503, 'Ringbind er midlertidigt ude af drift', false],
  ])(
    'an error page keeps the menu for a signed-in person, except while the database is down: %s',
    async (...each) => {
      const [url, status, title, hasMenu] = each
      const { visitor } = await enter(test, 'investor')
      const { statusCode, body } = await visitor.get(url)
      expect([statusCode, body.includes('aria-label="Hovedmenu"')]).toEqual([status, hasMenu])
      expect(body).toContain(`<title>${title} · Ringbind</title>`)
      expect(body.match(new RegExp(`>${title}`, 'g'))).toHaveLength(2) // the tab's title, and once on the page
      const stranger = await test.app.inject(url)
      expect([stranger.statusCode, stranger.body.includes('aria-label="Hovedmenu"')]).toEqual([status, false])
    },
  )

  it('an error page refers a person without access to the office, and the office to an administrator', async () => {
    const { visitor } = await enter(test, 'investor')
    expect((await visitor.get('/mine')).body).toContain('så kontakt kontoret.')
    const employee = await enter(test, 'employee')
    expect((await employee.visitor.get('/mine')).body).toContain('så spørg en administrator.')
  })

  it('an error page says that a form is too large, also in the tab’s title', async () => {
    const { visitor } = await enter(test, 'employee')
    const headers = { 'content-type': 'application/json' }
    const payload = `"${'x'.repeat(2_000_000)}"`
    const { statusCode, body } = await visitor.get('/echo', { method: 'POST', payload, headers })
    expect(statusCode).toBe(413)
    expect(body).toContain('<title>Det, der blev sendt, er for stort · Ringbind</title>')
  })

  it('a plain form of a signed-out person gets a sign-in link that keeps the page', async () => {
    const { statusCode, body } = await new Visitor(test.app).post('/projects/new', { name: 'K/S' })
    expect(statusCode).toBe(401)
    expect(body).toContain('<title>Du er blevet logget ud · Ringbind</title>')
    expect(body).toMatch(/<a href="\/login" target="_blank"[^>]*>Log ind i en ny fane<\/a>/)
  })

  it('an error is JSON under /api/', async () => {
    const { statusCode, body } = await test.app.inject('/api/findes-ikke')
    expect([statusCode, JSON.parse(body)]).toEqual([
      404,
      { message: 'Siden findes ikke.', code: 'not_found' },
    ])
  })

  it('an error is a page for a GET, whatever its accept header', async () => {
    const { body } = await test.app.inject({
      url: '/mine',
      headers: { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    })
    expect(body).toContain('Ingen adgang')
  })

  it.each([{ accept: 'application/json' }, { 'x-requested-with': 'XMLHttpRequest' }])(
    'an error is JSON for a form sent with %j',
    async (headers) => {
      const { statusCode, body } = await new Visitor(test.app).post('/form', {}, { headers: { ...headers } })
      expect([statusCode, JSON.parse(body)]).toEqual([
        422,
        {
          message: 'Navnet skal udfyldes.',
          code: 'invalid',
          errors: { name: ['Navnet skal udfyldes.'], cvr: ['CVR-nummeret er forkert.'] },
        },
      ])
    },
  )

  it('an error is a page for a plain form', async () => {
    const { statusCode, headers } = await new Visitor(test.app).post('/form')
    expect([statusCode, headers['content-type']]).toEqual([422, 'text/html; charset=utf-8'])
  })

  it('a conflict keeps its message', async () => {
    const { statusCode, body } = await new Visitor(test.app).post('/api/order')
    expect([statusCode, JSON.parse(body)]).toEqual([
      409,
      { message: 'Rækkefølgen er ændret af en anden.', code: 'conflict' },
    ])
  })

  it('an error page reveals nothing internal, and has a number that is in the log', async () => {
    const { statusCode, body, headers } = await test.app.inject('/boom/17')
    expect(statusCode).toBe(500)
    expect(body).not.toContain('machinery')
    const id = String(headers['x-request-id'])
    expect(body).toContain(`Fejlnummer <!-- -->${id}`)
    expect(test.logged()).toContain(id)
    expect(test.logged()).toContain('secret machinery')
    expect(test.logged()).not.toContain('ole@example.dk')
  })

  it.each([
    [{ method: 'POST', url: '/echo', payload: '{', headers: { 'content-type': 'application/json' } }, 400],
    [{ method: 'POST', url: '/echo', payload: 'x', headers: { 'content-type': 'text/strange' } }, 415],
    [
      {
        method: 'POST',
        url: '/echo',
        payload: `"${'x'.repeat(2_000_000)}"`,
        headers: { 'content-type': 'application/json' },
      },
      413,
    ],
    [{ method: 'GET', url: '/%zz' }, 404],
    [{ method: 'GET', url: '/api/%c0%ae' }, 404],
    [{ method: 'GET', url: '/projects/1/uploads/%ed%a0%80.pdf' }, 404],
    [{ method: 'DELETE', url: '/' }, 404],
  ] as const)('refuses %j in Danish', async (options, status) => {
    const { statusCode, body } = await test.app.inject({
      ...options,
      headers: { ...('headers' in options ? options.headers : {}) },
    })
    expect(statusCode).toBe(status)
    expect(body).toMatch(/Forespørgslen kunne ikke forstås|er for stort|et format|findes ikke/)
  })
})

describe('JSON', () => {
  it('JSON is not cached, unless its route allows it', async () => {
    const answers = [
      await test.app.inject('/healthz'),
      await new Visitor(test.app).post('/form', {}, { script: true }),
      await new Visitor(test.app).post('/echo', { a: 1 }),
    ]
    expect(answers.map(({ headers }) => headers['cache-control'])).toEqual([
      'no-store',
      'no-store',
      'no-store',
    ])
    const { headers } = await test.app.inject('/kept')
    expect(headers['cache-control']).toBe('private, max-age=60')
  })
})

describe('the log', () => {
  it('the log has the route and ids, but not the address, query or visitor', async () => {
    await test.app.inject({ url: '/boom/18?q=ole@example.dk', remoteAddress: '203.0.113.9' })
    const line = test
      .logged()
      .split('\n')
      .findLast((each) => each.includes('"msg":"request"'))!
    expect(JSON.parse(line)).toMatchObject({ method: 'GET', route: '/boom/:id', id: '18', status: 500 })
    expect(test.logged()).not.toContain('ole@')
    expect(test.logged()).not.toContain('203.0.113.9')
  })
})

describe('health', () => {
  it('/healthz answers', async () => {
    expect((await test.app.inject('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await test.app.inject('/readyz')).json()).toEqual({
      status: 'ready',
      database: true,
      storage: true,
    })
  })

  it('/readyz fails if another instance uses a bucket that this one does not know', async () => {
    const { app, db } = await freshApp({ hasJobs: false })
    await db.insertInto('stores').values({ bucket: 'papers', takes_new: true }).execute()
    const answer = await app.inject('/readyz')
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { status: 'not ready', database: true, storage: false },
    ])
  })
})

describe('too many requests', () => {
  it('too many requests from an address are asked to wait', async () => {
    const { app } = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '3', TRUST_PROXY: '1' } })
    const ask = async (address: string, url = '/findes-ikke') =>
      app.inject({ url, headers: { 'x-forwarded-for': address } })
    for (let time = 0; time < 3; time++) expect((await ask('192.0.2.1')).statusCode).toBe(404)
    const { statusCode, headers, body } = await ask('192.0.2.1')
    expect(statusCode).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(body).toContain('Vent et øjeblik')
    expect((await ask('192.0.2.2')).statusCode).toBe(404)
    expect((await ask('192.0.2.1', '/healthz')).statusCode).toBe(200)
  })

  it('a header does not hide an address if no proxy is trusted', async () => {
    const { app } = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '1' } })
    const ask = (address: string) => app.inject({ url: '/login', headers: { 'x-forwarded-for': address } })
    expect((await ask('192.0.2.1')).statusCode).toBe(200)
    expect((await ask('192.0.2.2')).statusCode).toBe(429)
  })
})

it('Strict-Transport-Security is sent with https only', async () => {
  const { app } = await freshApp({ hasJobs: false, env: { APP_URL: 'https://ringbind.example.dk' } })
  expect((await app.inject('/login')).headers['strict-transport-security']).toBe('max-age=31536000')
  expect((await test.app.inject('/login')).headers['strict-transport-security']).toBeUndefined()
})

it('a stop lets a running request finish', async () => {
  const { app } = await freshApp({ hasJobs: false, routes })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const answer = new Promise<number | undefined>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/slow' }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
  await sleep(100)
  await app.close()
  expect(await answer).toBe(200)
})

describe('a refused form', () => {
  const plain = (body: string) =>
    ({ method: 'POST', url: '/login', headers: { 'content-type': 'application/json' }, body }) as const

  it('a refused form is shown again without made-up fields, and fast whatever their depth or length', async () => {
    const { app } = await freshApp({ hasJobs: false })
    const visitor = new Visitor(app)
    await visitor.get('/login')
    const token = decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!)
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const send = async (fields: string) => {
      const call = plain(`{"_token":"${token}",${fields}}`)
      return app.inject({ ...call, headers: { ...call.headers, cookie } })
    }
    const deep = await send(`"a":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)
    expect(deep.statusCode).toBe(413)
    const fields = (many: number) =>
      Array.from({ length: many }, (_, index) => `"f${index}":"${'x'.repeat(400)}"`).join()
    expect((await send(fields(5000))).statusCode).toBe(413)
    const most = await send(fields(190))
    expect(most.statusCode).toBe(422)
    expect(most.body.length).toBeLessThan(200_000)
  })
})
