import { sql } from 'kysely'
import { readEntries } from '../src/log/entries.db.ts'
import type { HookEvent } from '../src/programs/hooks/event.ts'
import { messageOf } from '../src/programs/hooks/event.ts'
import { addHook, switchHook } from '../src/programs/hooks/hooks.db.ts'
import type { Act } from '../src/log/words/act.ts'
import type { Parts } from '../src/server/parts.ts'

type Sent = {
  act: Act
  event: HookEvent
  many: number
  state: string
  status: number
  tries: number
  answer: string
}

const SENT: Sent[] = [
  {
    act: 'project-added',
    event: 'project.added',
    many: 1,
    state: 'delivered',
    status: 200,
    tries: 1,
    answer: '{"ok":true}',
  },
  { act: 'file-added', event: 'file.added', many: 12, state: 'delivered', status: 204, tries: 3, answer: '' },
  {
    act: 'file-published',
    event: 'file.published',
    many: 1,
    state: 'failed',
    status: 400,
    tries: 13,
    answer: 'Ukendt bilag',
  },
]

/** Gives the office a webhook with some messages. It is off, so that the demo sends nothing to anybody. */
export async function fillHooks({ db }: Pick<Parts, 'db'>, administrator: number): Promise<void> {
  const actor = { userId: administrator, address: null }
  const { id } = await addHook(db, actor, {
    name: 'Regnskabsprogrammet',
    url: 'https://regnskab.example/ringbind',
    events: ['file.added', 'file.deleted', 'file.published', 'project.added'],
  })
  await switchHook(db, actor, id, false)
  for (const { act, event, many, state, status, tries, answer } of SENT) {
    const { rows } = await sql<{ id: number }>`
      select id from log where act = ${act} order by at desc, id desc limit ${many}`.execute(db)
    const entries = await readEntries(
      db,
      rows.map((row) => row.id),
    )
    if (entries.length === 0) continue
    await sql`
      insert into hook_deliveries (hook_id, event, items_count, payload, state, status, tries, answer, took_ms,
        created_at, first_tried_at, tried_at)
      values (${id}, ${event}, ${entries.length}, ${messageOf(event, entries)}, ${state}, ${status}, ${tries}, ${answer},
        87, now() - interval '1 hour', now() - interval '1 hour', now() - interval '1 hour')`.execute(db)
  }
}
