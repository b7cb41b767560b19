import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { connect, type Database } from '../../src/server/database/database.ts'
import { findReleased, listMigrations, migrateWithin } from '../../src/server/database/migrate.ts'
import { namedIn } from '../../src/server/database/take-tables.ts'
import { PROJECT } from '../../src/server/process/project-directory.ts'
import { freshDatabase } from '../database.ts'
import { dropRetired, listChanges, listFaults, readSchema, type Schema } from './two-steps.ts'

/** The notes that migrations committed before this test would have. */
const SAID_LATER: Record<string, string> = {
  '0048_sheets.sql': `
-- judged: function keep_contents(): counts the same, and leaves out writes that change nothing
-- judged: function note_changes(text): notes the same, and leaves out what is noted already
-- judged: constraint sheet_imports.sheet_imports_user_id_fkey: nobody deletes users
-- judged: constraint sheet_imports.sheet_imports_undone_by_fkey: nobody deletes users`,
  '0049_imports.sql': `
-- judged: constraint imports.imports_made_by_fkey: nobody deletes users`,
  '0050_tokens.sql': `
-- judged: constraint log.log_token_id_fkey: is about a column that 0.1.0 leaves null; the log is read through once
-- judged: constraint tokens.tokens_user_id_fkey: nobody deletes users`,
  '0051_hooks.sql': `
-- judged: trigger log.log_hooks: writes to tables that 0.1.0 does not know, and refuses nothing`,
  '0052_intake.sql': `
-- judged: column submissions.user_id: 0.1.0 joins it with users, and so leaves out what scanners and mails bring
-- judged: constraint inbox.inbox_files_count_check: allows more; the inbox is short
-- judged: constraint intake_files.intake_files_blob_id_fkey: the next trigger keeps such bytes from being removed
-- judged: trigger blobs.blobs_kept_by_intake: who gives bytes up looks at the rows that were changed, in 0.1.0 too
-- judged: trigger file_versions.file_versions_file_intake: writes to tables that 0.1.0 does not know
-- judged: trigger files.files_file_intake: writes to tables that 0.1.0 does not know
-- judged: trigger files.files_file_intakes: writes to tables that 0.1.0 does not know`,
}

const readMigration = (name: string) => readFile(new URL(`db/${name}`, PROJECT), 'utf8')

type Step = { name: string; text: string; before: Schema; after: Schema; locked: string[]; tables: string[] }

let released: Schema
let last: Schema
const steps: Step[] = []
beforeAll(async () => {
  const { db } = await freshDatabase({ migrated: false })
  const names = await listMigrations()
  const first = names.indexOf((await findReleased())!.migration) + 1
  if (first === 0) throw new Error('db/released.json names a migration that is not there.')
  await db.transaction().execute((trx) => migrateWithin(trx, undefined, first))
  released = last = await readSchema(db)
  for (const [index, name] of names.entries()) {
    if (index < first) continue
    const before = last
    const locked = await db.transaction().execute(async (trx) => {
      await migrateWithin(trx, undefined, index + 1)
      const { rows } = await sql<{ name: string }>`
        select distinct relname::text as name from pg_locks join pg_class on pg_class.oid = relation
        where pid = pg_backend_pid() and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
          and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`.execute(
        trx,
      )
      return rows.map((row) => row.name)
    })
    last = await readSchema(db)
    const tables = [...before.values()].flatMap(({ id, on }) =>
      on !== null && id === `table ${on}` ? [on] : [],
    )
    steps.push({ name, text: await readMigration(name), before, after: last, locked, tables })
  }
})

it('no migration since the last release breaks that release', () => {
  const faults = steps.flatMap(({ name, text, before, after }) =>
    listFaults(listChanges(released, before, after), `${SAID_LATER[name] ?? ''}\n${text}`).map(
      (fault) => `db/${name}: ${fault}`,
    ),
  )
  expect(faults, `See “A migration” in docs/recipes.md.\n${faults.join('\n')}\n`).toEqual([])
})

it('every migration names the tables that it locks', () => {
  const faults = steps.flatMap(({ name, text, locked, tables }) => {
    const known = namedIn([text], tables)
    return locked
      .filter((table) => tables.includes(table) && !known.includes(table))
      .map((table) => `db/${name} locks ${table}, and does not name it: add a line “-- locks: ${table}”`)
  })
  expect(faults).toEqual([])
})

it('retired columns need not be filled', () => {
  const faults = [...last.values()].filter(({ isRetired, isFilled }) => isRetired && !isFilled)
  expect(faults.map(({ id }) => id)).toEqual([])
})

it('pg-boss has the tables of the last release', async () => {
  const text = await readFile(new URL('node_modules/pg-boss/package.json', PROJECT), 'utf8')
  const { pgboss } = JSON.parse(text) as { pgboss: { schema: number } }
  expect(
    (await findReleased())!.jobs,
    'A pg-boss that changes its tables does so under the instances of the last release. See docs/decisions/0077-upgrades-without-a-stop.md.',
  ).toBe(pgboss.schema)
})

const OLD = `
  create table people (id int primary key, name text not null, note text, old_note text, code int unique);
  create function greet(who text) returns text language sql as $$ select who $$;
  create table gone (id int);
  create index people_name on people (name);
  comment on column people.old_note is 'retired';
  comment on table gone is 'retired';`

type Case = [what: string, sql: string, faults: RegExp[]]
const CASES: Case[] = [
  ['adds a column', 'alter table people add born date', []],
  ['adds a column with a default', 'alter table people add likes text not null default $$x$$', []],
  [
    'adds a table',
    'create table more (id int primary key, person int references people on delete cascade)',
    [],
  ],
  ['drops an index', 'drop index people_name', []],
  ['removes a column', 'alter table people drop note', [/^column people.note: .*was not retired/]],
  [
    'removes a retired column silently',
    'alter table people drop old_note',
    [/-- removes: column people.old_note/],
  ],
  ['removes a retired column', '-- removes: column people.old_note\nalter table people drop old_note', []],
  ['removes a retired table', '-- removes: table gone\ndrop table gone', []],
  ['speaks of what it leaves', '-- removes: table gone\nselect 1', [/^table gone: the file speaks of it/]],
  ['removes a table', 'drop table people', [/^table people: .*was not retired/]],
  [
    'renames a column',
    'alter table people rename note to remark',
    [/^column people.note: .*was not retired/],
  ],
  ['renames a table', 'alter table people rename to persons', [/^table people: /]],
  [
    'changes a type',
    'alter table people alter code type bigint',
    [/^column people.code: it was integer/, /^table people: the whole table/],
  ],
  ['asks for a value', 'alter table people add born date not null', [/^column people.born: it is not null/]],
  ['asks for more', 'alter table people alter note set not null', [/^column people.note: it was text/]],
  ['asks for less', 'alter table people alter name drop not null', [/^column people.name: it may be null/]],
  [
    'refuses more',
    'alter table people add constraint short check (length(name) < 5)',
    [/-- judged: constraint people.short/],
  ],
  ['refuses twins', 'create unique index one_name on people (name)', [/^unique people.one_name/]],
  ['builds an index', 'create index by_note on people (note)', [/^index people.by_note: nobody can write/]],
  [
    'acts by itself',
    `create function act() returns trigger language plpgsql as $$ begin return null; end $$;
     create trigger acts before insert on people for each row execute function act()`,
    [/^trigger people.acts/],
  ],
  ['says why', '-- judged: index people.by_note: short\ncreate index by_note on people (note)', []],
  [
    'gives no reason',
    '-- judged: index people.by_note:\ncreate index by_note on people (note)',
    [/^index people.by_note/],
  ],
  [
    'holds on to rows',
    'create table more (id int references people)',
    [/^constraint more.more_id_fkey: rows of people/],
  ],
  ['removes a function', 'drop function greet(text)', [/^function greet\(text\): .*was not retired/]],
  [
    'changes a function',
    'create or replace function greet(who text) returns text language sql as $$ select who || who $$',
    [/^function greet\(text\): it is another one/],
  ],
  [
    'adds a second form',
    'create function greet(who text, how text default $$x$$) returns text language sql as $$ select who $$',
    [/^function greet\(text,text\): there is one of that name/],
  ],
  [
    'writes a table anew',
    'alter table people add at timestamptz not null default clock_timestamp()',
    [/^table people: the whole table/],
  ],
]

let scratch: Database
beforeAll(async () => {
  const { connection } = await freshDatabase({ migrated: false })
  scratch = connect({ connection: { ...connection, max: 1 }, onError: () => undefined })
  return () => scratch.destroy()
})

it.each(CASES)('judges a migration that %s', async (_what, text, expected) => {
  const undo = new Error('undo')
  let faults: string[] = []
  await scratch
    .transaction()
    .execute(async (trx) => {
      await sql.raw(OLD).execute(trx)
      const before = await readSchema(trx)
      await sql.raw(text).execute(trx)
      faults = listFaults(listChanges(before, before, await readSchema(trx)), text)
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  expect(faults).toHaveLength(expected.length)
  for (const pattern of expected) expect(faults).toContainEqual(expect.stringMatching(pattern))
})

it('tests run without retired columns and tables', async () => {
  await sql.raw(OLD).execute(scratch)
  await dropRetired(scratch)
  const ids = [...(await readSchema(scratch)).keys()]
  expect(ids).toContain('column people.note')
  expect(ids).not.toContain('column people.old_note')
  expect(ids).not.toContain('table gone')
})
