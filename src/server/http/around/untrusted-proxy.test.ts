import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../../test/app.ts'
import { enter } from '../../../../test/enter.ts'
import { listNotices, raiseNotice } from '../../../log/notices/notices.db.ts'
import { keepHouse, startWork } from '../../../work.ts'

const kinds = async ({ db }: TestApp) => (await listNotices(db, 'administrator')).map(({ kind }) => kind)
const countLines = (test: TestApp) => test.logged().split('TRUST_PROXY is not set').length - 1

it.each([{ 'x-forwarded-for': '198.51.100.7' }, { forwarded: 'for=198.51.100.7' }])(
  'an untrusted proxy is reported once in the log and on the start page: %j',
  async (headers) => {
    const test = await freshApp({ hasJobs: false })
    const { visitor } = await enter(test, 'administrator')
    await visitor.get('/')
    expect([countLines(test), await kinds(test)]).toEqual([0, []])
    for (let time = 0; time < 3; time++) await visitor.get('/', { headers })
    await expect.poll(() => kinds(test)).toEqual(['untrusted-proxy'])
    expect(countLines(test)).toBe(1)
  },
)

it('a stranger’s forged header is in the log, but not on the start page', async () => {
  const test = await freshApp({ hasJobs: false })
  const { visitor } = await enter(test, 'administrator')
  await test.app.inject({ url: '/', headers: { 'x-forwarded-for': '198.51.100.7' } })
  await expect.poll(() => countLines(test)).toBe(1)
  await visitor.get('/')
  expect(await kinds(test)).toEqual([])
})

it('a trusted proxy is not reported, and ends the notice on the start page', async () => {
  const test = await freshApp({ hasJobs: false, env: { TRUST_PROXY: '1' } })
  const { visitor } = await enter(test, 'administrator')
  await visitor.get('/', { headers: { 'x-forwarded-for': '198.51.100.7' } })
  await raiseNotice(test.db, 'untrusted-proxy', {})
  await startWork(test, { deliver: () => Promise.resolve() }, test.app.log)
  expect([countLines(test), await kinds(test)]).toEqual([0, []])
})

it('the notice ends when no such header was seen for a week', async () => {
  const test = await freshApp({ hasJobs: false })
  await raiseNotice(test.db, 'untrusted-proxy', {})
  await sql`update notices set seen_at = now() - interval '6 days'`.execute(test.db)
  await keepHouse(test)
  expect(await kinds(test)).toEqual(['untrusted-proxy'])
  await sql`update notices set seen_at = now() - interval '8 days'`.execute(test.db)
  await keepHouse(test)
  expect(await kinds(test)).toEqual([])
})
