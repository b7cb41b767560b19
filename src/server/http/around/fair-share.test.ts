import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { freshApp, type TestApp } from '../../../../test/app.ts'
import { enter } from '../../../../test/enter.ts'
import { makeToken } from '../../../../test/make.ts'
import { connectAlone } from '../../database/database.ts'

const held: { caller: string; letGo: () => void }[] = []
const begun: string[] = []

const HELD = { scope: 'any', id: 'held', chapter: 'key', summary: 'Holdt', answer: z.object({}) } as const

let test: TestApp

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    routes: (app) => {
      app.get('/api/held', {
        config: { right: 'enter', program: HELD },
        handler: async ({ headers }) => {
          const caller = String(headers['x-caller'])
          begun.push(caller)
          await new Promise<void>((resolve) => held.push({ caller, letGo: resolve }))
          return {}
        },
      })
    },
  })
})

const patient = { timeout: 60_000, interval: 20 }

it('all API keys and sessions of a person share one person’s turns, and each key has its part', async () => {
  const { id, visitor } = await enter(test, 'investor')
  const other = await enter(test, 'investor')
  const keys: string[] = []
  for (let n = 0; n < 3; n++) keys.push(await makeToken(test, id, { name: `Nøgle ${n}`, scopes: ['read'] }))
  const call = (headers: Record<string, string>) => test.app.inject({ url: '/api/held', headers })
  const calls = keys.flatMap((key, n) =>
    Array.from({ length: 6 }, () => call({ authorization: `Bearer ${key}`, 'x-caller': `key ${n}` })),
  )
  await expect.poll(() => begun.length, patient).toBe(4)
  const own = visitor.get('/api/held', { headers: { 'x-caller': 'browser' } })
  const others = other.visitor.get('/api/held', { headers: { 'x-caller': 'other' } })
  await expect.poll(() => begun.includes('other'), patient).toBe(true)
  expect(begun).toHaveLength(5)
  // The next turns go round, so the browser's comes while the keys still have calls that wait.
  const ofPerson = () =>
    held.splice(
      held.findIndex(({ caller }) => caller !== 'other'),
      1,
    )[0]!
  for (let turn = 0; turn < 13 && !begun.includes('browser'); turn++) {
    const before = begun.length
    ofPerson().letGo()
    await expect.poll(() => begun.length, patient).toBe(before + 1)
  }
  expect(begun).toContain('browser')
  const end = setInterval(() => held.splice(0).forEach(({ letGo }) => letGo()), 20)
  await Promise.all([...calls, own, others])
  clearInterval(end)
})

it('does not let a known person wait for strangers at the same address', async () => {
  const { visitor } = await enter(test, 'employee')
  await visitor.get('/findes-ikke')
  // The five connections of the app are needed for those who ask.
  const [watching, holding] = [await connectAlone(test.db), await connectAlone(test.db)]
  const waiting = async () => {
    const { rows } = await watching.query<{ count: number }>(
      `select count(distinct pid)::integer as count from pg_locks
      where not granted and relation = 'sessions'::regclass`,
    )
    return rows[0]!.count
  }
  await holding.query('begin; lock table sessions in access exclusive mode')
  const sent: Promise<unknown>[] = []
  try {
    for (let n = 0; n < 30; n++)
      sent.push(test.app.inject({ url: '/findes-ikke', headers: { cookie: `session=opfundet${n}` } }))
    // Made-up sessions share the turns of their address.
    await expect.poll(waiting, patient).toBe(4)
    sent.push(visitor.get('/findes-ikke'))
    await expect.poll(waiting, patient).toBe(5)
  } finally {
    await holding.query('rollback')
    await Promise.all(sent)
    await Promise.all([watching.end(), holding.end()])
  }
})
