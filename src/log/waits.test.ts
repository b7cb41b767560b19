import { expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter } from '../../test/enter.ts'
import { Visitor } from '../../test/visitor.ts'
import { addWaitEntry } from './waits.db.ts'

const entries = async ({ db }: TestApp) => {
  const rows = await db
    .selectFrom('log')
    .selectAll()
    .where('act', '=', 'asked-to-wait')
    .orderBy('id')
    .execute()
  return rows.map(({ address, detail, user_id: user }) => [address, detail, user])
}

it('logs a throttled client once per address, and administrators see it', async () => {
  const test = await freshApp({ env: { REQUESTS_PER_MINUTE: '20' } })
  for (const remoteAddress of ['192.0.2.1', '192.0.2.2']) {
    for (let time = 0; time < 40; time++) await test.app.inject({ url: '/login', remoteAddress })
  }
  await expect
    .poll(() => entries(test))
    .toEqual([
      ['192.0.2.1', 'sign-in', null],
      ['192.0.2.2', 'sign-in', null],
    ])
  const { visitor } = await enter(test, 'administrator')
  const { body } = await visitor.get('/log?act=asked-to-wait')
  expect(body).toContain('blev bedt om at vente efter for mange forsøg på at logge ind')
  expect(body).toContain('192.0.2.2')
})

it('logs what was requested too often', async () => {
  const test = await freshApp()
  for (let time = 0; time < 31; time++)
    await new Visitor(test.app).post('/forgot-password', { email: 'x@example.dk' }, { script: true })
  await expect.poll(() => entries(test)).toEqual([['127.0.0.1', 'link', null]])
})

it('an attack from many addresses does not fill the log', async () => {
  const test = await freshApp()
  const addresses = Array.from({ length: 80 }, (_, index) => `198.51.100.${index}`)
  await Promise.all(addresses.map((address) => addWaitEntry(test.db, { userId: null, address }, 'requests')))
  expect(await entries(test)).toHaveLength(50)
})
