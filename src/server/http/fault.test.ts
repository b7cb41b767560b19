import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter } from '../../../test/enter.ts'
import { Visitor } from '../../../test/visitor.ts'
import { ROLES } from '../../rights.ts'

const FAULT = {
  message: 'TypeError: x is undefined for hans@firma.dk',
  stack: 'TypeError: x\n    at draw (https://office.dk/assets/frame-Bx1.js:1:250)',
  page: '/projects/1134/uploads',
  build: 'index-Cx2.js',
}

let test: TestApp
let before = 0 // how much was logged by earlier tests
let client = 0
beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
})
beforeEach(() => {
  before = test.logged().length
  client++
})

/** Each test has its own address, and so its own count. */
const tell = (visitor: Visitor, fault: Record<string, unknown> = FAULT, more = {}) =>
  visitor.post('/api/fault', fault, { script: true, address: `198.51.100.${client}`, ...more })

const log = () => test.logged().slice(before)

const logged = () =>
  log()
    .split('\n')
    .filter((line) => line.includes('a page broke in the browser'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('a fault in the browser', () => {
  it('a browser fault is logged as an error, without anything about a person', async () => {
    expect((await tell(new Visitor(test.app))).statusCode).toBe(204)
    expect(logged()).toMatchObject([
      {
        level: 50,
        fault: {
          message: 'TypeError: x is undefined for …@…',
          stack: 'at draw (/assets/frame-Bx1.js:1:250)',
          page: '/projects/…/uploads',
          build: 'index-Cx2.js',
        },
      },
    ])
    expect(log()).not.toMatch(/hans|1134/)
  })

  it.each(ROLES)('a browser fault is accepted from a signed-in %s', async (role) => {
    const { visitor } = await enter(test, role)
    expect((await tell(visitor)).statusCode).toBe(204)
    expect(logged()).toHaveLength(1)
  })

  it.each([
    ['no token', FAULT, { noToken: true }, 403],
    ['another site', FAULT, { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['no text', { ...FAULT, message: 7 }, {}, 422],
    ['a missing field', { message: 'x' }, {}, 422],
    ['a long message', { ...FAULT, message: 'x'.repeat(1_001) }, {}, 422],
    ['a body above 8 kB', { ...FAULT, stack: 'x'.repeat(9_000) }, {}, 413],
  ])('a browser fault with %s is refused, and not logged', async (_, fault, more, status) => {
    expect((await tell(new Visitor(test.app), fault, more)).statusCode).toBe(status)
    expect(logged()).toEqual([])
  })

  it('a browser fault that is bad JSON is refused, and not logged', async () => {
    const visitor = new Visitor(test.app)
    await visitor.get('/login')
    const token = decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!)
    const answer = await visitor.get('/api/fault', {
      method: 'POST',
      payload: '{"message":',
      headers: { 'content-type': 'application/json', 'x-xsrf-token': token, accept: 'application/json' },
    })
    expect([answer.statusCode, logged()]).toEqual([400, []])
  })

  it('logs ten browser faults a minute for one client', async () => {
    const visitor = new Visitor(test.app)
    const answers = []
    for (let told = 0; told < 12; told++) answers.push((await tell(visitor)).statusCode)
    expect(answers).toEqual([...Array<number>(10).fill(204), 429, 429])
    expect(logged()).toHaveLength(10)
    expect((await tell(new Visitor(test.app), FAULT, { address: '203.0.113.9' })).statusCode).toBe(204)
    expect((await visitor.get('/login')).statusCode).toBe(200)
  })

  it('logs sixty browser faults a minute in total, and more in the next minute', async () => {
    test = await freshApp({ hasJobs: false })
    before = 0
    const from = (number: number) => tell(new Visitor(test.app), FAULT, { address: `203.0.113.${number}` })
    for (let number = 1; number <= 60; number++) await from(number)
    expect((await from(61)).statusCode).toBe(429)
    expect(logged()).toHaveLength(60)
    const now = performance.now()
    vi.spyOn(performance, 'now').mockReturnValue(now + 60_000)
    try {
      expect((await from(62)).statusCode).toBe(204)
    } finally {
      vi.restoreAllMocks()
    }
  })
})
