import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { startReceiver, type HookReceiver, type Received } from '../../../test/neighbours/hook-receiver.ts'
import {
  foldersByName,
  makeFile,
  makeManyFiles,
  makeProject,
  makeUser,
  NOBODY,
  OFFICE,
} from '../../../test/make.ts'
import { deleteFiles } from '../../files/change/change.db.ts'
import { ACTS } from '../../log/words/act.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { listNotices } from '../../log/notices/notices.db.ts'
import { Deliverer, noteOutcome } from './deliver.db.ts'
import { listDeliveries, purgeDeliveries, sendAgain, takeNext } from './deliveries.db.ts'
import { ACT_EVENTS, HOOK_EVENTS, type HookEvent, type HookItem } from './event.ts'
import { WAITS_SECONDS } from './hook.ts'
import { addHook, changeHook, getHook, removeHook, renewSecret, switchHook } from './hooks.db.ts'
import type { Sending } from './send.server.ts'

let test: TestApp
let receiver: HookReceiver
let folder: number

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  const { id } = await makeProject(test.db)
  folder = (await foldersByName(test.db, id)).Budget!
})
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  await sql`with gone as (delete from hooks), left_over as (delete from hook_queue) delete from notices`.execute(
    test.db,
  )
})

const SENDING: Sending = { networks: ['127.0.0.0/8'] }
const tools = (sending = SENDING) => ({
  db: test.db,
  jobs: test.jobs,
  appUrl: 'https://ringbind.example',
  sending,
})

let made = 0
const hook = (events: HookEvent[] = ['file.added'], url = receiver.url) =>
  addHook(test.db, NOBODY, { name: `Krog ${++made}`, url, events })

/** Sends everything that is due, once. */
async function deliver(sending = SENDING): Promise<void> {
  const deliverer = new Deliverer(tools(sending))
  const faults: unknown[] = []
  await deliverer.look(new AbortController().signal, (error) => faults.push(error))
  await deliverer.rest()
  expect(faults).toEqual([])
}

/** Makes all waits be over. */
const wait = () =>
  sql`
    with hooks as (update running_hooks set wait_until = now() - interval '1 second', held_until = null)
    update hook_deliveries set next_at = now() - interval '1 second' where state = 'waiting'`.execute(test.db)

const itemsOf = ({ body }: Received) => (JSON.parse(body) as { data: { items: HookItem[] } }).data.items
const rowsOf = async (id: number) => (await listDeliveries(test.db, id, 1)).data
const queued = async () => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from hook_queue`.execute(test.db)
  return rows[0]!.count
}

it('database and code know the same events', async () => {
  const { rows } = await sql<{ act: string; event: string }>`
    select act, event from hook_acts order by act, event`.execute(test.db)
  const told = ACTS.flatMap((act) => ACT_EVENTS[act].map((event) => ({ act, event })))
  const keyOf = (row: { act: string; event: string }) => `${row.act} ${row.event}`
  expect(rows.map(keyOf).toSorted()).toEqual(told.map(keyOf).toSorted())
  expect(new Set(rows.map(({ event }) => event))).toEqual(new Set(HOOK_EVENTS))
})

describe('what happens', () => {
  it('a signed message has ids and names of what happened, and only the events that were asked for', async () => {
    const { id, secret } = await hook(['file.added', 'project.added'])
    const file = await makeFile(test, folder, { name: 'Budget 2026 æøå.pdf' })
    const { id: project } = await makeProject(test.db, { name: 'K/S Åhavnen' })
    await makeUser(test.db)
    await deliver()
    expect(receiver.got.map(({ type }) => type)).toEqual(['file.added', 'project.added'])
    const [added, second] = receiver.got
    expect(itemsOf(added!)).toMatchObject([
      {
        act: 'file-added',
        file: { id: file.id, name: 'Budget 2026 æøå.pdf' },
        folder: { id: folder, name: 'Budget' },
      },
    ])
    expect(itemsOf(second!)).toMatchObject([{ project: { id: project, name: 'K/S Åhavnen' }, person: null }])
    const verified = new Webhook(secret).verify(added!.body, added!.headers as Record<string, string>)
    expect(verified).toMatchObject({ type: 'file.added' })
    expect(await rowsOf(id)).toMatchObject([
      { event: 'project.added', state: 'delivered', tries: 1, status: 200, answer: 'Svar' },
      { event: 'file.added', state: 'delivered', items: 1 },
    ])
    expect(await queued()).toBe(0)
  })

  it('an act that is rolled back sends no message', async () => {
    await hook()
    await test.db
      .transaction()
      .execute(async (trx) => {
        await addLogEntry(trx, NOBODY, 'file-added')
        throw new Error('undone')
      })
      .catch(() => undefined)
    expect(await queued()).toBe(0)
  })

  it('stores no message if no hook wants it, or the hook is off', async () => {
    const { id } = await hook(['person.added'])
    await makeFile(test, folder)
    expect(await queued()).toBe(0)
    await switchHook(test.db, NOBODY, id, false)
    await makeUser(test.db)
    expect(await queued()).toBe(0)
  })

  it('many events are sent in a few messages, in order', async () => {
    await hook(['file.added', 'file.deleted'])
    const files = await makeManyFiles(test.db, folder, 250)
    const { project_id: project } = await test.db
      .selectFrom('folders')
      .select('project_id')
      .where('id', '=', folder)
      .executeTakeFirstOrThrow()
    await deleteFiles(test.db, { actor: NOBODY, reader: OFFICE }, { project: project! }, files.slice(0, 3))
    await deliver()
    expect(receiver.got.map((each) => [each.type, itemsOf(each).length])).toEqual([
      ['file.added', 100],
      ['file.added', 100],
      ['file.added', 50],
      ['file.deleted', 3],
    ])
    const ids = receiver.got.flatMap(itemsOf).map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(new Set(ids).size).toBe(253)
  })

  it('the inbox has its own event', async () => {
    await hook(['inbox.received'])
    await makeFile(test, folder)
    const sent = await makeFile(test, folder, { fromInvestor: true })
    await deliver()
    expect(receiver.got.flatMap(itemsOf)).toMatchObject([{ file: { id: sent.id } }])
  })

  it('changes to the template’s folders send no message', async () => {
    await hook(['project.changed'])
    await test.db.transaction().execute((trx) => addLogEntry(trx, NOBODY, 'folder-changed', { folderId: 1 }))
    expect(await queued()).toBe(0)
  })
})

describe('a message', () => {
  it('a failed message is retried with the same id and body, later each time, then the next ones in order', async () => {
    const { id } = await hook()
    const first = await makeFile(test, folder)
    receiver.answer = 503
    await deliver()
    const second = await makeFile(test, folder)
    await deliver()
    expect(receiver.got).toHaveLength(1) // the hook waits
    expect(await rowsOf(id)).toMatchObject([{ state: 'waiting', tries: 1, status: 503 }])
    expect((await getHook(test.db, id)).failing_since).not.toBeNull()
    expect((await getHook(test.db, id)).waiting).toBe(2)
    await wait()
    receiver.answer = 200
    await deliver()
    expect(receiver.got.map((each) => itemsOf(each)[0]!.file!.id)).toEqual([first.id, first.id, second.id])
    expect(receiver.got[1]!.id).toBe(receiver.got[0]!.id)
    expect(receiver.got[1]!.body).toBe(receiver.got[0]!.body)
    expect(receiver.got[2]!.id).not.toBe(receiver.got[0]!.id)
    expect(await getHook(test.db, id)).toMatchObject({ failing_since: null, waiting: 0 })
  })

  it('a message that the receiver refuses does not delay the others', async () => {
    const { id } = await hook()
    const bad = await makeFile(test, folder)
    receiver.answer = (response, received) =>
      void response.writeHead(itemsOf(received)[0]!.file!.id === bad.id ? 400 : 200).end()
    await deliver()
    const next = await makeFile(test, folder)
    await deliver()
    expect(receiver.got.map((each) => itemsOf(each)[0]!.file!.id)).toEqual([bad.id, next.id])
    // A message is given up after a day, and the hook stays on.
    for (let tries = 0; tries < WAITS_SECONDS.length; tries++) {
      await wait()
      await makeFile(test, folder)
      await deliver()
    }
    expect((await rowsOf(id)).find(({ state }) => state === 'failed')).toMatchObject({
      tries: 13,
      status: 400,
    })
    expect(await getHook(test.db, id)).toMatchObject({ is_on: true })
  })

  it('a message that fails for a day switches the hook off, and administrators are told', async () => {
    const boss = await makeUser(test.db, { role: 'administrator', name: 'Anne Admin' })
    const { id } = await hook()
    await makeFile(test, folder)
    receiver.answer = 500
    await deliver()
    for (const _ of WAITS_SECONDS) {
      await wait()
      await deliver()
    }
    expect(receiver.got).toHaveLength(WAITS_SECONDS.length + 1)
    expect(await getHook(test.db, id)).toMatchObject({ is_on: false, stopped_because: 'failed' })
    expect(await rowsOf(id)).toMatchObject([{ state: 'failed', tries: WAITS_SECONDS.length + 1 }])
    const [notice] = await listNotices(test.db, 'administrator')
    expect(notice?.text).toMatch(/^Webhooken Krog \d+ er slået fra/)
    expect(await listNotices(test.db, 'employee')).toEqual([])
    const { rows } = await sql<{ data: { to: string; text: string } }>`
      select data from jobs.job where name = 'send-mail' and data ->> 'to' = ${boss.email}`.execute(test.db)
    expect(rows).toHaveLength(1)
    expect(rows[0]!.data.text).toContain(`https://ringbind.example/settings/hooks/${id}`)
    expect(rows[0]!.data.text).toContain('127.0.0.1')
    await makeFile(test, folder)
    expect(await queued()).toBe(0)
    // Switched on again it begins afresh, and the notice ends.
    receiver.answer = 200
    await switchHook(test.db, NOBODY, id, true)
    expect(await listNotices(test.db, 'administrator')).toEqual([])
    const after = await makeFile(test, folder)
    await deliver()
    expect(itemsOf(receiver.got.at(-1)!)[0]!.file!.id).toBe(after.id)
  })

  it('an answer of 410 switches the hook off at once', async () => {
    const { id } = await hook()
    await makeFile(test, folder)
    receiver.answer = 410
    await deliver()
    expect(await getHook(test.db, id)).toMatchObject({ is_on: false, stopped_because: 'gone' })
    expect(await rowsOf(id)).toMatchObject([{ state: 'failed', status: 410, tries: 1 }])
    expect(await listNotices(test.db, 'administrator')).toHaveLength(1)
    // A hook that stays off causes no more mails.
    await switchHook(test.db, NOBODY, id, false)
    expect(await listNotices(test.db, 'administrator')).toEqual([])
    expect(await getHook(test.db, id)).toMatchObject({ is_on: false, stopped_because: null })
  })

  it('a message taken by a process that died is sent again with the same id', async () => {
    const { id } = await hook()
    await makeFile(test, folder)
    const taken = await takeNext(test.db, id) // and dies here, with the message sent
    expect(taken).not.toBeNull()
    await deliver()
    expect(receiver.got).toEqual([]) // it may still be at it
    await sql`update running_hooks set held_until = now() - interval '1 second'`.execute(test.db)
    await deliver()
    expect(receiver.got.map((each) => each.id)).toEqual([taken!.message.id])
    expect(await rowsOf(id)).toMatchObject([{ state: 'delivered', tries: 2 }])
  })

  it('two processes at once send a message once', async () => {
    await hook(['file.added', 'project.added'])
    for (let count = 0; count < 5; count++) {
      await makeFile(test, folder)
      await makeProject(test.db)
    }
    const { signal } = new AbortController()
    const [first, second] = [new Deliverer(tools()), new Deliverer(tools())]
    const look = (each: Deliverer) => each.look(signal, (error) => expect.fail(String(error)))
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    receiver.answer = (response) => void released.then(() => response.end())
    await look(first)
    await expect.poll(() => receiver.got.length).toBe(1)
    await look(second) // while the first one waits for the answer
    await second.rest()
    expect(receiver.got).toHaveLength(1)
    release()
    await Promise.all([look(first), look(second)])
    await Promise.all([first.rest(), second.rest()])
    const ids = receiver.got.flatMap(itemsOf).map(({ id }) => id)
    expect(ids).toHaveLength(10)
    expect(new Set(ids).size).toBe(10)
  })

  it('a slow receiver does not delay another', async () => {
    const slow = await startReceiver()
    let release = () => {}
    slow.answer = (response) => (release = () => void response.end())
    await hook(['file.added'], slow.url)
    await hook()
    await makeFile(test, folder)
    const deliverer = new Deliverer(tools())
    const { signal } = new AbortController()
    await deliverer.look(signal, (error) => expect.fail(String(error)))
    await expect.poll(() => [slow.got.length, receiver.got.length]).toEqual([1, 1])
    await makeFile(test, folder)
    await expect
      .poll(async () => {
        await deliverer.look(signal, (error) => expect.fail(String(error)))
        return receiver.got.length
      })
      .toBe(2)
    expect(slow.got).toHaveLength(1)
    slow.answer = 200
    release()
    await deliverer.rest()
  })

  it('no message goes inside the network without permission, also if permission was withdrawn', async () => {
    const { id } = await hook()
    await makeFile(test, folder)
    await deliver({ networks: [] })
    expect(receiver.got).toEqual([])
    expect(await rowsOf(id)).toMatchObject([{ state: 'waiting', fault: 'not-allowed', status: null }])
  })

  it('messages wait while the hook is off, and are sent when it is on again', async () => {
    const { id } = await hook()
    await makeFile(test, folder)
    await switchHook(test.db, NOBODY, id, false)
    await deliver()
    expect(receiver.got).toEqual([])
    expect((await getHook(test.db, id)).waiting).toBe(1)
    await switchHook(test.db, NOBODY, id, true)
    await switchHook(test.db, NOBODY, id, true) // pressed twice
    await deliver()
    expect(receiver.got).toHaveLength(1)
  })

  it('a hook that is deleted or switched off while a message is sent stores no result', async () => {
    const { id } = await hook()
    const other = await hook()
    await makeFile(test, folder)
    const [taken, kept] = [(await takeNext(test.db, id))!, (await takeNext(test.db, other.id))!]
    await removeHook(test.db, NOBODY, id)
    await switchHook(test.db, NOBODY, other.id, false)
    const outcome = { status: 500, fault: null, answer: '', tookMs: 1 }
    await noteOutcome(test.db, tools(), taken, outcome)
    await noteOutcome(test.db, tools(), kept, outcome)
    expect(await rowsOf(other.id)).toMatchObject([{ state: 'waiting', status: 500 }])
    expect(await getHook(test.db, other.id)).toMatchObject({ is_on: false, stopped_because: null })
  })

  it('a message does not wait for a time written while the clock was ahead', async () => {
    const { id } = await hook()
    await makeFile(test, folder)
    receiver.answer = 500
    await deliver()
    await sql`
      with later as (update running_hooks set wait_until = now() + interval '1 year')
      update hook_deliveries set next_at = now() + interval '1 year' where hook_id = ${id}`.execute(test.db)
    receiver.answer = 200
    await deliver()
    expect(await rowsOf(id)).toMatchObject([{ state: 'delivered' }])
  })

  it('a message can be sent again by hand, with the same id', async () => {
    const { id } = await hook()
    await makeFile(test, folder)
    await deliver()
    const [row] = await rowsOf(id)
    await sendAgain(test.db, id, row!.id)
    await sendAgain(test.db, id, row!.id) // pressed twice
    await deliver()
    expect(receiver.got.map((each) => each.id)).toEqual([receiver.got[0]!.id, receiver.got[0]!.id])
    await switchHook(test.db, NOBODY, id, false)
    await expect(sendAgain(test.db, id, row!.id)).rejects.toThrow('Slå webhooken til')
    const other = await hook()
    await expect(sendAgain(test.db, other.id, row!.id)).rejects.toThrow('findes ikke')
  })
})

it('messages are also signed with the old secret for a day after it was renewed', async () => {
  const { id, secret } = await hook()
  await renewSecret(test.db, NOBODY, id)
  const renewed = await renewSecret(test.db, NOBODY, id) // pressed twice
  expect(renewed).not.toBe(secret)
  await makeFile(test, folder)
  await deliver()
  const verify = (key: string, { body, headers }: Received) =>
    new Webhook(key).verify(body, headers as Record<string, string>)
  for (const key of [secret, renewed]) expect(verify(key, receiver.got[0]!)).toBeTruthy()
  await sql`update hooks set old_secret_until = now() - interval '1 second'`.execute(test.db)
  await makeFile(test, folder)
  await deliver()
  expect(verify(renewed, receiver.got[1]!)).toBeTruthy()
  expect(() => verify(secret, receiver.got[1]!)).toThrow()
})

it('changing a hook’s address retries at once', async () => {
  const { id } = await hook()
  await makeFile(test, folder)
  receiver.answer = 500
  await deliver()
  const other = await startReceiver()
  const { name } = await getHook(test.db, id)
  await changeHook(test.db, NOBODY, id, { name, url: other.url, events: ['file.added'] }, null)
  await deliver()
  expect(other.got).toHaveLength(1)
})

it('deletes messages after a month, and those waiting for deleted hooks', async () => {
  const { id } = await hook()
  for (const age of ['29 days', '31 days']) {
    await makeFile(test, folder)
    await deliver()
    await sql`update hook_deliveries set tried_at = now() - ${age}::interval where tried_at > now() - interval '1 day'`.execute(
      test.db,
    )
  }
  await makeFile(test, folder)
  await sql`insert into hook_queue (hook_id, log_id, event) values (999999, 1, 'file.added')`.execute(test.db)
  await purgeDeliveries(test.db)
  expect(await rowsOf(id)).toHaveLength(1)
  expect(await queued()).toBe(1)
})
