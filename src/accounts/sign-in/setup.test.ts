import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { asOwner } from '../../../test/database.ts'
import { Visitor } from '../../../test/visitor.ts'
import { makeSetupToken } from './setup.db.ts'

let test: TestApp
let token: string
beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
})
beforeEach(async () => {
  await asOwner(test.db, sql`delete from log`)
  for (const table of ['link_tokens', 'sessions', 'users'] as const) await test.db.deleteFrom(table).execute()
  token = (await makeSetupToken(test.db))!
})

const FORM = { name: 'Kirsten Overgaard', email: 'kirsten@example.dk', password: 'korrekt hest batteri' }
const users = () => test.db.selectFrom('users').select(['name', 'role']).execute()

describe('setup', () => {
  it('setup adds the first administrator, signs them in, and disappears', async () => {
    const who = new Visitor(test.app)
    expect((await who.get('/login')).body).toContain('Ringbind er ikke sat op endnu')
    expect((await who.get(`/setup?token=${token}`)).statusCode).toBe(200)
    const { statusCode, headers } = await who.post('/setup', { ...FORM, token })
    expect([statusCode, headers.location]).toEqual([303, '/'])
    expect((await who.get('/')).body).toContain('Hej Kirsten')
    expect(await users()).toEqual([{ name: 'Kirsten Overgaard', role: 'administrator' }])
    expect((await who.get(`/setup?token=${token}`)).statusCode).toBe(404)
    expect((await who.post('/setup', { ...FORM, email: 'b@example.dk', token })).statusCode).toBe(404)
    expect(await makeSetupToken(test.db)).toBeNull()
    expect((await new Visitor(test.app).get('/login')).body).not.toContain('Ringbind er ikke sat op endnu')
    const log = await test.db.selectFrom('log').select('act').orderBy('id').execute()
    expect(log.map(({ act }) => act)).toEqual(['user-added', 'setup'])
  })

  it('only one of two simultaneous setups succeeds', async () => {
    const [a, b] = [new Visitor(test.app), new Visitor(test.app)]
    const other = (await makeSetupToken(test.db))!
    const codes = await Promise.all([
      a.post('/setup', { ...FORM, token }),
      b.post('/setup', { ...FORM, email: 'anden@example.dk', token: other }),
    ])
    expect(codes.map(({ statusCode }) => statusCode).sort((x, y) => x - y)).toEqual([303, 404])
    expect(await users()).toHaveLength(1)
  })

  it.each(['', '?token=', '?token=forkert', '?token[]=a', '?token=a&token=b'])(
    'setup answers 404 with %j',
    async (query) => {
      expect((await new Visitor(test.app).get(`/setup${query}`)).statusCode).toBe(404)
    },
  )

  it.each([
    [{ name: ' ', email: 'x', password: 'kort' }, ['name', 'email']],
    [{ name: 'x'.repeat(201), email: 'a b@c.dk', password: '' }, ['name', 'email', 'password']],
    [{ name: ['a'], email: { b: 1 }, password: 3 }, ['name', 'email', 'password']],
    [{ ...FORM, password: 'kort' }, ['password']],
    [{ ...FORM, password: 'qwerty1234' }, ['password']],
    [{ ...FORM, password: 'Ringbind2026' }, ['password']],
    [{ ...FORM, password: 'Kirsten2026!' }, ['password']],
    [{ ...FORM, email: 'kirsten@localhost' }, ['email']],
  ])('S5.6 setup refuses %j at its fields, and adds nobody', async (fields, faulty) => {
    const { statusCode, body } = await new Visitor(test.app).post(
      '/setup',
      { ...fields, token },
      { script: true },
    )
    expect(statusCode).toBe(422)
    expect(Object.keys((JSON.parse(body) as { errors: object }).errors)).toEqual(faulty)
    expect(await users()).toEqual([])
  })
})
