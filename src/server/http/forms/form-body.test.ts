import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../../test/app.ts'
import { Visitor } from '../../../../test/visitor.ts'
import { countJsonValues } from './form-fields.ts'

let test: TestApp
let visitor: Visitor
let arrived = 0
const goOn: (() => void)[] = []

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    routes: (app) => {
      app.post('/ekko', { config: { right: 'visit' } }, (request, reply) => reply.send(request.body))
      const large = { config: { right: 'visit', mostFields: 20_000 }, bodyLimit: 5_000_000 } as const
      app.post('/stort-ekko', large, (request, reply) => reply.send(request.body))
      app.post('/vent', large, async () => {
        arrived++
        await new Promise<void>((resolve) => goOn.push(resolve))
        return {}
      })
    },
  })
  visitor = new Visitor(test.app)
  await visitor.get('/findes-ikke')
})

const BOUNDARY = 'xxxBOUNDARYxxx'
const KINDS = {
  urlencoded: (pairs: [string, string][]) =>
    [new URLSearchParams(pairs).toString(), 'application/x-www-form-urlencoded'] as const,
  multipart: (pairs: [string, string][]) =>
    [
      `${pairs.map(([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--${BOUNDARY}--\r\n`,
      `multipart/form-data; boundary=${BOUNDARY}`,
    ] as const,
}

async function echo(kind: keyof typeof KINDS, pairs: [string, string][], url = '/ekko') {
  const [payload, type] = KINDS[kind](pairs)
  const reply = await test.app.inject({
    method: 'POST',
    url,
    payload,
    headers: {
      'content-type': type,
      cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!),
      'x-requested-with': 'XMLHttpRequest',
    },
  })
  return [reply.statusCode, reply.json<unknown>()] as const
}

const fields = (many: number) =>
  Array.from({ length: many }, (_, index): [string, string] => [`a[f${index}]`, 'x'])

describe.each(['urlencoded', 'multipart'] as const)('a form, %s', (kind) => {
  it('a form has all its fields, or is refused', async () => {
    for (const [url, most] of [
      ['/ekko', 200],
      ['/stort-ekko', 20_000],
    ] as const) {
      const [status, body] = await echo(kind, fields(most), url)
      expect([status, Object.keys((body as { a: object }).a).length]).toEqual([200, most])
      expect(await echo(kind, fields(most + 1), url)).toMatchObject([
        413,
        { message: 'Formularen er for stor.' },
      ])
    }
  })

  it('refuses a form of more than 100 kB, unless its route allows more', async () => {
    const long = Array.from({ length: 100 }, (_, index): [string, string] => [`f${index}`, 'x'.repeat(1000)])
    const [status] = await echo(kind, long)
    expect([status, (await echo(kind, long, '/stort-ekko'))[0]]).toEqual([413, 200])
  })

  it('refuses unreadable text at its field', async () => {
    const fault = ['Teksten har tegn, der ikke kan læses.']
    expect(
      await echo(kind, [
        ['a[name]', 'x\ufffdy'],
        ['b', 'fin'],
      ]),
    ).toMatchObject([422, { message: fault[0], errors: { 'a.name': fault } }])
  })

  it('a form keeps a field whatever its name', async () => {
    const [status, body] = await echo(kind, [
      ['files[constructor][name]', 'a'],
      ['files[hasownproperty][name]', 'b'],
      ['files[toString][name]', 'c'],
    ])
    expect([status, body]).toEqual([
      200,
      {
        files: { constructor: { name: 'a' }, hasownproperty: { name: 'b' }, toString: { name: 'c' } },
      },
    ])
  })

  it('a form has lists, and none that reaches a prototype', async () => {
    const [status, body] = await echo(kind, [
      ['names[0]', 'a'],
      ['names[1]', 'b'],
      ['more[]', 'c'],
      ['more[]', 'd'],
      ['__proto__[x]', 'e'],
    ])
    expect([status, body]).toEqual([200, { names: { 0: 'a', 1: 'b' }, more: { 0: 'c', 1: 'd' } }])
  })

  it.each([
    [['a[b][c][d][e][f]', 'x'], { a: { b: { c: { d: { e: { '[f]': 'x' } } } } } }],
    [['a[b', 'x'], { 'a[b': 'x' }],
    [['[a]', 'x'], { a: 'x' }],
    [['a[b]c', 'x'], { 'a[b]c': 'x' }],
    [['', 'x'], {}],
  ] as [[string, string], object][])('reads the field name of %j', async (pair, body) => {
    expect(await echo(kind, [pair])).toEqual([200, body])
  })

  it('a form keeps both of two fields with one name', async () => {
    const pairs: [string, string][] = [
      ['a', '1'],
      ['a', '2'],
      ['a[x]', '3'],
    ]
    expect(await echo(kind, pairs)).toEqual([200, { a: { 0: '1', 1: '2', x: '3' } }])
  })
})

async function send(type: string, payload: string | Buffer, headers: Record<string, string> = {}) {
  const reply = await test.app.inject({
    method: 'POST',
    url: '/ekko',
    payload,
    headers: {
      'content-type': type,
      cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!),
      'x-requested-with': 'XMLHttpRequest',
      ...headers,
    },
  })
  return [reply.statusCode, reply.json<unknown>()] as const
}

const UNREADABLE = ['Teksten har tegn, der ikke kan læses.']

it.each([
  ['JSON', 'application/json', '{"a":{"name":"x\\ud800"}}'],
  ['JSON with bytes that are not UTF-8', 'application/json', Buffer.from('{"a":{"name":"x\xff"}}', 'latin1')],
  ['urlencoded', 'application/x-www-form-urlencoded', 'a[name]=x%FF'],
  ['an encoded half of a pair', 'application/x-www-form-urlencoded', 'a[name]=x%ED%A0%80'],
])('refuses half a surrogate pair at its field: %s', async (_what, type, payload) => {
  expect(await send(type, payload)).toMatchObject([
    422,
    { message: UNREADABLE[0], errors: { 'a.name': UNREADABLE } },
  ])
})

it.each([
  ['{"a":[1,2]}', 4],
  ['"a,[{"', 1],
  ['["\\\\",1]', 3],
  ['["\\"",",",{}]', 5],
])('%s has at most %d values', async (text, count) => {
  expect(await countJsonValues(text)).toBe(count)
})

it('JSON may have at most as many values as a form has fields', async () => {
  const list = (many: number) => JSON.stringify({ a: Array.from({ length: many }, () => 1) })
  expect((await send('application/json', list(190)))[0]).toBe(200)
  expect((await send('application/json', list(201)))[0]).toBe(413)
  const deep = `${'['.repeat(201)}${']'.repeat(201)}`
  expect((await send('application/json', deep))[0]).toBe(413)
})

it.each(['gzip', 'deflate', 'br', 'GZIP', 'identity, gzip', 'unknown'])(
  'refuses a body in %s, without inflating it',
  async (encoding) => {
    const body = gzipSync(`a=${'+'.repeat(4_000_000)}`)
    const headers = { 'content-encoding': encoding }
    expect(await send('application/x-www-form-urlencoded', body, headers)).toMatchObject([
      415,
      { message: 'Det, der sendes, må ikke være komprimeret.' },
    ])
  },
)

it('the answer to a refused encoding has the security headers', async () => {
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await test.app.inject({ method: 'POST', url: '/login', headers, payload: 'a' })
  expect(answer.statusCode).toBe(415)
  expect(answer.headers).toHaveProperty('content-security-policy')
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
})

it('accepts a body without an encoding', async () => {
  const headers = { 'content-encoding': 'identity' }
  expect(await send('application/x-www-form-urlencoded', 'a=1', headers)).toEqual([200, { a: '1' }])
})

it('handles one large form of a client at a time, and a small one meanwhile', async () => {
  const large: [string, string][] = [
    ['a', 'x'.repeat(80_000)],
    ['b', 'x'.repeat(80_000)],
  ]
  const answers = [large, large, large, [['a', 'x']] as [string, string][]].map((pairs) =>
    echo('urlencoded', pairs, '/vent'),
  )
  await expect.poll(() => arrived).toBe(2)
  for (let count = 0; count < answers.length; count++) {
    await expect.poll(() => goOn.length).toBeGreaterThan(0)
    expect(arrived - count).toBeLessThanOrEqual(2)
    goOn.shift()!()
  }
  expect(await Promise.all(answers)).toEqual(answers.map(() => [200, {}]))
})
