import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { Visitor } from '../../test/visitor.ts'

let test: TestApp
let visitor: Visitor

beforeAll(async () => {
  test = await freshApp({
    routes: (app) =>
      void app.post('/ekko', { config: { right: 'visit' } }, (request, reply) => reply.send(request.body)),
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

async function echo(kind: keyof typeof KINDS, pairs: [string, string][]) {
  const [payload, type] = KINDS[kind](pairs)
  const reply = await test.app.inject({
    method: 'POST',
    url: '/ekko',
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
  it('has all its fields, or is refused', async () => {
    const [status, body] = await echo(kind, fields(20_000))
    expect([status, Object.keys((body as { a: object }).a).length]).toEqual([200, 20_000])
    expect(await echo(kind, fields(20_001))).toEqual([413, { message: 'Formularen er for stor.' }])
  })

  it('keeps a field whatever it is called', async () => {
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

  it('has lists, and none that reaches further than itself', async () => {
    const [status, body] = await echo(kind, [
      ['names[0]', 'a'],
      ['names[1]', 'b'],
      ['more[]', 'c'],
      ['more[]', 'd'],
      ['__proto__[x]', 'e'],
    ])
    expect([status, body]).toEqual([200, { names: { 0: 'a', 1: 'b' }, more: { 0: 'c', 1: 'd' } }])
  })
})
