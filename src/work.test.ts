import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../test/app.ts'
import { asOwner } from '../test/database.ts'
import { foldersByName, makeFile, makeProject, makeToken, makeUser, PASSWORD } from '../test/make.ts'
import { Visitor } from '../test/visitor.ts'
import { addLinkToken } from './accounts/links/link-tokens.db.ts'
import { checkClock } from './log/machine/clock-notice.db.ts'
import { listNotices } from './log/notices/notices.db.ts'
import { Clock } from './server/database/clock.db.ts'
import { keepHouse } from './work.ts'

it('deletes what has expired, and nothing else', async () => {
  const test = await freshApp()
  const { db } = test
  const [old, young] = [await makeUser(db), await makeUser(db)]
  for (const { id, email } of [old, young]) {
    await new Visitor(test.app).signIn(email, 'forkert kode')
    await new Visitor(test.app).signIn(email, PASSWORD)
    await addLinkToken(db, 'reset', id)
  }
  await sql`insert into sign_in_failures (subject, at) values ('old', now() - interval '2 days'), ('young', now())`.execute(
    db,
  )
  await sql`update sessions set used_at = now() - interval '25 hours' where user_id = ${old.id}`.execute(db)
  await sql`update link_tokens set expires_at = now() - interval '1 second' where user_id = ${old.id}`.execute(
    db,
  )
  await asOwner(db, sql`update log set at = now() - interval '13 months' where user_id = ${old.id}`)
  const project = await makeProject(db)
  for (const act of ['user-changed', 'project-changed'] as const) {
    for (const months of [1, 13])
      await asOwner(
        db,
        sql`
        with entry as (
          insert into log (at, act, subject_user_id, project_id)
          values (now() - make_interval(months => ${months}), ${act}, ${young.id}, ${project.id}) returning id
        )
        insert into log_names (log_id, before, after) select id, ${act} || ${months}, 'ny' from entry`,
      )
  }
  await sql`
    insert into zip_selections (id, user_id, file_ids, made_at) values
      (gen_random_uuid(), ${young.id}, '{1}', now() - interval '23 hours'),
      (gen_random_uuid(), ${old.id}, '{1}', now() - interval '25 hours')`.execute(db)
  await sql`
    insert into provider_attempts (hash, provider, purpose, user_id, next, created_at) values
      ('\\x01', 'mitid', 'invitation', ${young.id}, '', now() - interval '9 minutes'),
      ('\\x02', 'mitid', 'invitation', ${old.id}, '', now() - interval '11 minutes')`.execute(db)
  await sql`
    insert into guessed_accounts (user_id, seen_at) values
      (${young.id}, now() - interval '23 hours'), (${old.id}, now() - interval '25 hours')`.execute(db)
  await sql`
    insert into views (hash, session_id, viewer_id, user_id, started_at)
    select hash, id, user_id, ${young.id}, now() - interval '31 minutes' from sessions
    where user_id = ${young.id}`.execute(db)
  await sql`
    insert into duty_mails (user_id, day) values
      (${young.id}, current_date - 29), (${old.id}, current_date - 31)`.execute(db)
  for (const [id, days] of [
    [old.id, 31],
    [young.id, 29],
  ] as const) {
    await makeToken(test, id)
    await sql`update tokens set expires_at = now() - make_interval(days => ${days}) where user_id = ${id}`.execute(
      db,
    )
  }
  await sql`
    with hook as (
      insert into hooks (name, url, events, secret) values ('Krog', 'https://a.example/', '{file.added}', 'x') returning id
    )
    insert into hook_deliveries (hook_id, event, items_count, payload, state, tried_at)
    select id, 'file.added', 1, '{}', 'delivered', now() - days * interval '1 day' from hook, unnest('{29,31}'::int[]) as days`.execute(
    db,
  )
  expect(await keepHouse(test)).toEqual({ addresses: 1, files: 0, blobs: 0 })
  expect(await db.selectFrom('hook_deliveries').select('id').execute()).toHaveLength(1)
  for (const table of [
    'sessions',
    'link_tokens',
    'zip_selections',
    'provider_attempts',
    'duty_mails',
  ] as const) {
    expect(await db.selectFrom(table).select('user_id').execute()).toEqual([{ user_id: young.id }])
  }
  expect(await db.selectFrom('views').select('user_id').execute()).toEqual([])
  const { rows: tokens } = await sql`
    select user_id, hash is null as is_forgotten, name <> '' as has_name from tokens order by user_id`.execute(
    db,
  )
  expect(tokens).toEqual([
    { user_id: old.id, is_forgotten: true, has_name: true },
    { user_id: young.id, is_forgotten: false, has_name: true },
  ])
  const { rows: guessed } = await sql`select user_id from guessed_accounts`.execute(db)
  expect(guessed).toEqual([{ user_id: young.id }])
  const { rows } = await sql`select from sign_in_failures where subject = 'old'`.execute(db)
  expect(rows).toEqual([])
  const { rows: addresses } =
    await sql`select distinct address is null as gone from log where user_id = ${young.id} and act <> 'view-ended'`.execute(
      db,
    )
  expect(addresses).toEqual([{ gone: false }])
  // A project's old names stay, but a person's are deleted.
  const { rows: names } = await sql<{ before: string }>`select before from log_names order by before`.execute(
    db,
  )
  expect(names.map(({ before }) => before)).toEqual([
    'project-changed1',
    'project-changed13',
    'user-changed1',
  ])
})

describe('a clock that has jumped', () => {
  const silent = { info: () => undefined, warn: () => undefined }
  const notices = async ({ db }: TestApp) => (await listNotices(db, 'administrator')).map(({ text }) => text)
  /** Pretends that the clock was this far behind when it was last checked. */
  const jump = (test: TestApp, interval: string) =>
    sql`update clock set seen_at = now() - ${interval}::interval`.execute(test.db)

  it('a clock that has jumped stops all deletions until it is back', async () => {
    const test = await freshApp()
    const { db } = test
    const project = await makeProject(db)
    const { Diverse: folder } = await foldersByName(db, project.id)
    const { id } = await makeFile(test, folder!)
    await sql`update files set deleted_at = now() - interval '31 days' where id = ${id}`.execute(db)
    const files = async () => (await db.selectFrom('files').select('id').execute()).length
    const keep = () =>
      db
        .transaction()
        .execute((trx) =>
          test.jobs.enqueue(trx, { name: 'house-keeping', retryLimit: 0, retrySeconds: 0 }, {}),
        )
    await jump(test, '40 days')
    await keep()
    await expect.poll(test.logged).toContain('nothing is deleted, since the clock has jumped')
    expect(test.logged()).toContain('the clock has jumped forward')
    expect(await files()).toBe(1)
    expect(await notices(test)).toEqual([expect.stringContaining('sprunget 40 dage frem')])
    await sql`update clock set expected_at = now()`.execute(db) // the clock is right again
    await keep()
    await expect.poll(test.logged).toContain('"msg":"house-keeping done"')
    expect(await files()).toBe(0)
    expect(await notices(test)).toEqual([])
  })

  it('a clock that has jumped is trusted after the computer has run with it for a day', async () => {
    const test = await freshApp()
    let uptime = 1000
    const clock = new Clock(test.db, () => uptime)
    expect(await checkClock(test, clock, silent)).toBe(true)
    await jump(test, '40 days')
    expect(await checkClock(test, clock, silent)).toBe(false)
    uptime += 23 * 3600
    await jump(test, '23 hours')
    expect(await checkClock(test, clock, silent)).toBe(false)
    uptime += 3700
    await jump(test, '1 hour')
    expect(await checkClock(test, clock, silent)).toBe(true)
    expect(await notices(test)).toEqual([])
  })

  it('a weekend without power delays deletions for a day, without a notice', async () => {
    const test = await freshApp()
    await jump(test, '3 days')
    expect(await checkClock(test, new Clock(test.db, () => 10), silent)).toBe(false)
    expect(await notices(test)).toEqual([])
    await sql`update clock set seen_at = now() - interval '30 days', expected_at = null`.execute(test.db)
    expect(await checkClock(test, new Clock(test.db, () => 10), silent)).toBe(false)
    expect(await notices(test)).toEqual([expect.stringContaining('30 dage frem')])
  })

  it.each([false, true])(
    'a clock that went back moves waiting jobs back too (doubted: %s)',
    async (isDoubted) => {
      const test = await freshApp()
      const clock = new Clock(test.db, () => 1000)
      await checkClock(test, clock, silent)
      const job = await test.db
        .transaction()
        .execute((trx) =>
          test.jobs.enqueue(
            trx,
            { name: 'house-keeping', retryLimit: 0, retrySeconds: 0 },
            {},
            { afterSeconds: 60 },
          ),
        )
      const wait = async () => {
        const { rows } = await sql<{ hours: number }>`
        select extract(epoch from start_after - now())::float / 3600 as hours from jobs.job where id = ${job}`.execute(
          test.db,
        )
        return rows[0]!.hours
      }
      await sql`
      update jobs.job set created_on = created_on + interval '40 days', start_after = start_after + interval '40 days'
      where id = ${job}`.execute(test.db)
      expect(await wait()).toBeGreaterThan(24)
      await sql`
      update clock set seen_at = now() + interval '40 days', expected_at = case when ${isDoubted} then now() end`.execute(
        test.db,
      )
      expect(await checkClock(test, clock, silent)).toBe(true)
      expect(await wait()).toBeLessThan(1)
    },
  )

  it('a clock that went back keeps nobody waiting for days', async () => {
    const test = await freshApp()
    const { email } = await makeUser(test.db)
    const who = new Visitor(test.app)
    for (let time = 0; time < 10; time++) await who.signIn(email, 'forkert kode')
    await sql`update sign_in_failures set at = at + interval '40 days'`.execute(test.db)
    expect((await who.signIn(email, PASSWORD)).statusCode).toBe(303)
  })
})
