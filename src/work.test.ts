import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshApp } from '../test/app.ts'
import { makeProject, makeUser, PASSWORD } from '../test/make.ts'
import { Visitor } from '../test/visitor.ts'
import { addLinkToken } from './accounts/link-tokens.db.ts'
import { keepHouse } from './work.ts'

it('clears what has outlived its time, and nothing else', async () => {
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
  await sql`update log set at = now() - interval '13 months' where user_id = ${old.id}`.execute(db)
  const project = await makeProject(db)
  for (const act of ['user-changed', 'project-changed'] as const) {
    for (const months of [1, 13])
      await sql`
        with entry as (
          insert into log (at, act, subject_user_id, project_id)
          values (now() - make_interval(months => ${months}), ${act}, ${young.id}, ${project.id}) returning id
        )
        insert into log_names (log_id, before, after) select id, ${act} || ${months}, 'ny' from entry`.execute(
        db,
      )
  }
  expect(await keepHouse(test)).toEqual({ addresses: 1, files: 0, blobs: 0 })
  for (const table of ['sessions', 'link_tokens'] as const) {
    expect(await db.selectFrom(table).select('user_id').execute()).toEqual([{ user_id: young.id }])
  }
  const { rows } = await sql`select from sign_in_failures where subject = 'old'`.execute(db)
  expect(rows).toEqual([])
  const { rows: addresses } =
    await sql`select distinct address is null as gone from log where user_id = ${young.id}`.execute(db)
  expect(addresses).toEqual([{ gone: false }])
  // A project's old names stay, a person's do not.
  const { rows: names } = await sql<{ before: string }>`select before from log_names order by before`.execute(
    db,
  )
  expect(names.map(({ before }) => before)).toEqual([
    'project-changed1',
    'project-changed13',
    'user-changed1',
  ])
})
