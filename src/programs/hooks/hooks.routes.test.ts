import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { startReceiver, type HookReceiver } from '../../../test/neighbours/hook-receiver.ts'
import { urls } from '../../urls.ts'
import { TEST_EVENT } from './event.ts'
import { MOST_HOOKS } from './hook.ts'
import { addHook, listHooks } from './hooks.db.ts'

let test: TestApp
let boss: Entered
let receiver: HookReceiver

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { HOOK_NETWORKS: '127.0.0.0/8', REQUESTS_PER_MINUTE: '100000' },
  })
  boss = await enter(test, 'administrator')
})
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  await sql`delete from hooks`.execute(test.db)
})

const form = (more = {}) => ({
  name: 'Regnskab',
  url: receiver.url,
  events: ['file.added', 'person.changed'],
  ...more,
})
const make = async (more = {}) => {
  const actor = { userId: boss.id, address: null }
  return addHook(test.db, actor, { name: 'Krog', url: receiver.url, events: ['file.added'], ...more })
}
const send = (url: string, fields: Record<string, unknown> = {}) =>
  boss.visitor.post(url, fields, { script: true })

describe('a new webhook', () => {
  it('a new webhook shows its secret once, and nowhere else', async () => {
    const answer = await send(urls.newHook, form())
    const [hook] = await listHooks(test.db)
    expect(answer.json()).toEqual({ redirect: urls.hook(hook!.id) })
    expect(hook).toMatchObject({ name: 'Regnskab', events: ['file.added', 'person.changed'], is_on: true })
    const { rows } = await sql<{ secret: string }>`select secret from hooks`.execute(test.db)
    const { secret } = rows[0]!
    expect(secret).toMatch(/^whsec_/)
    expect((await boss.visitor.get(urls.hook(hook!.id))).body).toContain(secret)
    for (const url of [urls.hook(hook!.id), urls.programs, urls.editHook(hook!.id), urls.log])
      expect((await boss.visitor.get(url)).body).not.toContain(secret.slice(6))
    expect(test.logged()).not.toContain(secret.slice(6))
    const { rows: logged } = await sql<{ detail: string }>`
      select detail from log where act = 'hook-added' order by id desc limit 1`.execute(test.db)
    expect(logged[0]!.detail).toBe(new URL(receiver.url).host)
  })

  it('a refused webhook has every fault at its field, and nothing is stored', async () => {
    const answer = await send(urls.newHook, { name: ' ', url: 'ftp://x/', events: ['sign-in'] })
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json<{ errors: object }>().errors).toSorted()).toEqual([
      'events.0',
      'name',
      'url',
    ])
    const empty = await send(urls.newHook, {})
    expect(Object.keys(empty.json<{ errors: object }>().errors).toSorted()).toEqual(['events', 'name', 'url'])
    expect(await listHooks(test.db)).toEqual([])
  })

  it.each([
    ['inside the network', 'https://10.0.0.1/', /HOOK_NETWORKS/],
    ['the keys of a cloud', 'http://169.254.169.254/latest/meta-data/', /HOOK_NETWORKS/],
    ['this computer in another family', 'https://[::1]/', /HOOK_NETWORKS/],
    ['public without encryption', 'http://8.8.8.8/', /https/],
    ['unknown', 'https://findes-ikke.invalid/', /findes ikke/],
    ['too long', `https://example.dk/${'a'.repeat(5000)}`, /højst/],
  ])('refuses a webhook if its address is %s', async (_why, url, message) => {
    const answer = await send(urls.newHook, form({ url }))
    expect(answer.statusCode).toBe(422)
    expect(answer.json<{ errors: { url: string[] } }>().errors.url[0]).toMatch(message)
  })

  it('a refused webhook form keeps what was typed without JavaScript', async () => {
    const page = await boss.visitor.post(urls.newHook, { name: 'Mit program', url: 'https://10.0.0.1/' })
    expect(page.statusCode).toBe(422)
    expect(page.body).toContain('value="Mit program"')
    expect(page.body).toContain('Vælg mindst én hændelse.')
    expect(page.body).toContain('HOOK_NETWORKS')
  })

  it('a webhook needs a unique name, and their number is limited', async () => {
    await send(urls.newHook, form())
    const again = await send(urls.newHook, form({ name: 'REGNSKAB' }))
    expect(again.json()).toMatchObject({ errors: { name: ['Der er allerede en webhook med det navn.'] } })
    for (let count = 1; count < MOST_HOOKS; count++) await make({ name: `Krog ${count}` })
    expect((await send(urls.newHook, form({ name: 'Én for meget' }))).statusCode).toBe(422)
  })
})

describe('a webhook', () => {
  it('a webhook is switched off and on, and deleted', async () => {
    const { id } = await make()
    for (const act of ['off', 'off', 'on', 'on'] as const)
      expect((await send(urls.hookAct(id, act))).statusCode).toBe(200)
    const { rows } = await sql<{ act: string }>`
      select act from log where act like 'hook-switched%' order by id`.execute(test.db)
    expect(rows.map(({ act }) => act)).toEqual(['hook-switched-off', 'hook-switched-on'])
    expect((await send(urls.hookAct(id, 'remove'))).json()).toEqual({ redirect: urls.programs })
    expect((await send(urls.hookAct(id, 'remove'))).statusCode).toBe(404)
    expect((await boss.visitor.get(urls.hook(id))).statusCode).toBe(404)
  })

  it('a webhook gets a new secret, shown once', async () => {
    const { id, secret } = await make()
    await send(urls.hookAct(id, 'secret'))
    const shown = /whsec_[\w+/=]+/.exec((await boss.visitor.get(urls.hook(id))).body)?.[0]
    expect(shown).toBeDefined()
    expect(shown).not.toBe(secret)
    expect((await boss.visitor.get(urls.hook(id))).body).not.toContain('whsec_')
  })

  it('a test message is sent at once, and its answer is shown', async () => {
    const { id } = await make()
    receiver.answer = (response) => void response.writeHead(201).end('Tak')
    const answer = await send(urls.hookAct(id, 'test'))
    expect(answer.json()).toMatchObject({ trial: { status: 201, answer: 'Tak' } })
    expect(receiver.got.map(({ type }) => type)).toEqual([TEST_EVENT])
    expect((await send(urls.hookAct(id, 'test'))).statusCode).toBe(429) // pressed twice
    expect(receiver.got).toHaveLength(1)
    const { body } = await boss.visitor.get(urls.hook(id))
    expect(body).toContain('Prøve')
    expect(body).toContain('Modtaget')
    await sql`update hooks set tested_at = null`.execute(test.db)
    receiver.answer = 302
    const plain = await boss.visitor.post(urls.hookAct(id, 'test'))
    expect(plain.body).toContain('Skriv den rigtige adresse')
  })

  it('the receiver’s answer is shown as text, whatever it contains', async () => {
    const { id } = await make()
    receiver.answer = (response) => void response.end('<script>alert(1)</script>')
    await send(urls.hookAct(id, 'test'))
    const { body } = await boss.visitor.get(urls.hook(id))
    expect(body).not.toContain('<script>alert')
    expect(body).toContain('&lt;script&gt;alert(1)')
  })

  it.each(['employee', 'auditor', 'investor', 'adviser'] as const)(
    'a webhook answers 404 for an %s',
    async (role) => {
      const { id } = await make()
      const { visitor } = await enter(test, role)
      for (const url of [urls.programs, urls.newHook, urls.hook(id), urls.editHook(id)])
        expect((await visitor.get(url)).statusCode).toBe(403)
      for (const act of ['test', 'off', 'secret', 'remove'] as const)
        expect((await visitor.post(urls.hookAct(id, act))).statusCode).toBe(403)
      expect(receiver.got).toEqual([])
    },
  )
})
