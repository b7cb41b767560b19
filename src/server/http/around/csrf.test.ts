import { beforeAll, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../../test/app.ts'
import { makeUser, PASSWORD } from '../../../../test/make.ts'
import { Visitor } from '../../../../test/visitor.ts'

let test: TestApp
let changes = 0
beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { APP_URL: 'http://ringbind.example' },
    routes: (app) => app.post('/api/change', { config: { right: 'visit' } }, () => ({ changes: ++changes })),
  })
})

const visitor = () => new Visitor(test.app)

/** Returns the status of a change with these headers, and checks whether it was made. */
async function attempt(who: Visitor, options: Parameters<Visitor['post']>[2], fields = {}) {
  const before = changes
  const { statusCode, body } = await who.post('/api/change', fields, options)
  expect(changes - before).toBe(statusCode === 200 ? 1 : 0)
  if (statusCode === 403)
    expect(JSON.parse(body)).toEqual({
      message: 'Siden er udløbet. Genindlæs den, og prøv igen.',
      code: 'forbidden',
      expired: true,
    })
  return statusCode
}

it('S7.1 accepts a change with the cookie’s token in the header, or in the form', async () => {
  expect(await attempt(visitor(), { script: true })).toBe(200)
  expect(await attempt(visitor(), {})).toBe(200)
})

it('S7.1 refuses a change without a valid token, and changes nothing', async () => {
  const who = visitor()
  await who.get('/login')
  expect(await attempt(who, { noToken: true })).toBe(403)
  expect(await attempt(who, { noToken: true, headers: { 'x-xsrf-token': '' } })).toBe(403)
  expect(await attempt(who, { noToken: true, headers: { 'x-xsrf-token': 'wrong' } })).toBe(403)
  expect(await attempt(who, { noToken: true }, { _token: ['a'] })).toBe(403)
  expect(await attempt(visitor(), { noToken: true })).toBe(403)
})

it('refuses an unsigned token, even if cookie and header agree', async () => {
  const who = visitor()
  who.cookies.set('XSRF-TOKEN', 'planted.token')
  expect(await attempt(who, { noToken: true, headers: { 'x-xsrf-token': 'planted.token' } })).toBe(403)
})

it('refuses a token from before sign-in, and from another session', async () => {
  const { email } = await makeUser(test.db)
  const who = visitor()
  await who.get('/login')
  const before = who.cookies.get('XSRF-TOKEN')!
  await who.signIn(email, PASSWORD)
  await who.get('/')
  expect(who.cookies.get('XSRF-TOKEN')).not.toBe(before)
  who.cookies.set('XSRF-TOKEN', before)
  const old = decodeURIComponent(before)
  expect(await attempt(who, { noToken: true, headers: { 'x-xsrf-token': old } })).toBe(403)
})

it.each([
  [{ origin: 'http://ringbind.example' }, 200],
  [{ origin: 'http://localhost:8080', host: 'localhost:8080' }, 200],
  [{ origin: 'http://evil.example' }, 403],
  [{ origin: 'http://ringbind.example.evil.example' }, 403],
  [{ origin: 'null' }, 403],
  [{ 'sec-fetch-site': 'same-origin' }, 200],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'none' }, 403],
])('checks the origin of a change: %j is %i', async (headers, status) => {
  expect(await attempt(visitor(), { script: true, headers })).toBe(status)
})
