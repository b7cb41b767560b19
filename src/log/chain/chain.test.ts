import { sql } from 'kysely'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { connectAsOwner, freshDatabase } from '../../../test/database.ts'
import { makeUser } from '../../../test/make.ts'
import type { Database } from '../../server/database/database.ts'
import { addLogEntries, addLoneLogEntry, type On } from '../log.db.ts'
import { checkChain } from './check-chain.db.ts'
import { forgetAddresses, forgetNames } from './forget.db.ts'
import { formatHead, hashLink, markOf, parseHead } from './link.server.ts'
import { findHead, sealEntries, sealStragglers } from './seal.db.ts'

let db: Database
let userId: number

beforeEach(async () => {
  // Only the owner can do what the chain finds out.
  const { db: serving } = await freshDatabase()
  db = await connectAsOwner(serving)
  onTestFinished(() => db.destroy())
  ;({ id: userId } = await makeUser(db))
  await db.deleteFrom('log').execute()
})

const actor = () => ({ userId, address: '203.0.113.7' })

async function write(many: number, on: On = {}): Promise<number[]> {
  return db.transaction().execute((trx) =>
    addLogEntries(
      trx,
      actor(),
      'user-changed',
      Array.from({ length: many }, () => on),
    ),
  )
}

describe('a head', () => {
  it.each([
    ['12:' + 'a'.repeat(64), { position: 12, hash: 'a'.repeat(64) }],
    ['12:' + 'a'.repeat(63), null],
    ['12:' + 'G'.repeat(64), null],
    ['-1:' + 'a'.repeat(64), null],
    ['copy.tar', null],
    ['', null],
  ])('reads the head %s as %o', (text, head) => {
    expect(parseHead(text)).toEqual(head)
    if (head) expect(formatHead(head)).toBe(text)
  })
})

describe('a link', () => {
  const before = Buffer.alloc(32, 1)
  it('the hash depends on the previous hash, the entry and the position of each mark', () => {
    const { mark } = markOf('203.0.113.7')
    const hashes = [
      hashLink(before, '{}', null, null),
      hashLink(Buffer.alloc(32, 2), '{}', null, null),
      hashLink(before, '{"a": 1}', null, null),
      hashLink(before, '{}', mark, null),
      hashLink(before, '{}', null, mark),
    ].map((hash) => hash.toString('hex'))
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  it('the same value gets a different mark each time', () => {
    expect(markOf('a').mark).not.toEqual(markOf('a').mark)
  })
})

describe('the chain', () => {
  it('links every entry once, also more than one transaction handles', async () => {
    await write(2500)
    expect(await sealEntries(db)).toBe(2500)
    expect(await sealEntries(db)).toBe(0)
    await write(3, { names: { before: 'Åse "\n', after: 'Øjvind' } })
    await sealEntries(db)
    const { links, head, fault } = await checkChain(db)
    expect({ links, head, fault }).toEqual({ links: 2503, head: await findHead(db), fault: null })
  })

  it('finds no head before anything is linked', async () => {
    expect(await checkChain(db)).toEqual({ links: 0, head: null, fault: null })
  })

  it('the chain is valid in any time zone and date style', async () => {
    await write(2)
    await sealEntries(db)
    const other = await db.connection().execute(async (holder) => {
      await sql`set timezone = 'America/New_York'`.execute(holder)
      return checkChain(holder)
    })
    expect(other.fault).toBeNull()
  })

  it.each([
    ['an act that is another', `update log set act = 'signed-in' where id = $`, 'its entry was changed'],
    [
      'a time that is another',
      `update log set at = at + interval '1 microsecond' where id = $`,
      'its entry was changed',
    ],
    ['a person who is gone', `update log set user_id = null where id = $`, 'its entry was changed'],
    [
      'an address that is another',
      `update log set address = '198.51.100.1' where id = $`,
      'its address was changed',
    ],
    ['an address that is gone', `update log set address = null where id = $`, 'its address was changed'],
    [
      'a name that is another',
      `update log_names set before = 'X' where log_id = $`,
      'its names were changed',
    ],
    ['names that are gone', `delete from log_names where log_id = $`, 'its names were changed'],
    [
      'names that were not there',
      `update log_names set log_id = log_id - 1 where log_id = $`,
      'its names were changed',
    ],
    [
      'a link that is another',
      `update log_chain set hash = sha256('x') where log_id = $`,
      'its entry was changed',
    ],
    [
      'a mark that is another',
      `update log_chain set address_mark = sha256('x') where log_id = $`,
      'its entry was changed',
    ],
    [
      'an entry that is gone',
      `alter table log_chain drop constraint log_chain_log_id_fkey; delete from log where id = $`,
      'its entry is missing',
    ],
    ['an entry that is gone with its link', `delete from log where id = $`, 'it is missing'],
    ['a link that is gone', `delete from log_chain where log_id = $`, 'it is missing'],
  ])('detects %s', async (_, change, words) => {
    const ids = await write(5, { names: { before: 'Før', after: 'Efter' } })
    await sql`delete from log_names where log_id = ${ids[1]!}`.execute(db)
    await sealEntries(db)
    expect((await checkChain(db)).fault).toBeNull()
    for (const one of change.split('; ')) await sql.raw(one.replaceAll('$', String(ids[2]))).execute(db)
    const { fault, links } = await checkChain(db)
    expect(fault).toContain(words)
    expect(fault).toMatch(change.includes('- 1') ? /link 2 / : /link 3\b/)
    expect(links).toBe(change.includes('- 1') ? 1 : 2)
  })

  it('an earlier head reveals a cut-off or rewritten chain', async () => {
    await write(4)
    await sealEntries(db)
    const known = (await findHead(db))!
    await write(2)
    await sealEntries(db)
    expect((await checkChain(db, { known })).fault).toBeNull()
    await sql`delete from log_chain where position > 3`.execute(db)
    expect((await checkChain(db)).fault).toBeNull()
    expect((await checkChain(db, { known })).fault).toContain('although it had 4 links')
    await sealStragglers(db) // marks have other salts now
    expect((await checkChain(db, { known })).fault).toContain('its link 4 is another')
  })

  it('the chain stays valid when addresses and names are forgotten', async () => {
    await write(3, { names: { before: 'Anna', after: 'Anne' } })
    await sql`update log set at = at - interval '13 months'`.execute(db)
    await sealEntries(db)
    await write(1, { names: { before: 'Bo', after: 'Bob' } })
    await sealEntries(db)
    expect(await forgetAddresses(db, 12)).toBe(3)
    await forgetNames(db, 12)
    expect(await db.selectFrom('log_names').select('before').execute()).toEqual([{ before: 'Bo' }])
    expect(await checkChain(db)).toMatchObject({ links: 4, fault: null })
    const salts = await db
      .selectFrom('log_chain')
      .select(['address_salt', 'names_salt'])
      .orderBy('position')
      .execute()
    expect(salts.slice(0, 3)).toEqual([1, 2, 3].map(() => ({ address_salt: null, names_salt: null })))
  })

  it('links an entry whose transaction ends after later ones, however often it has looked meanwhile', async () => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    let written = () => {}
    const isWritten = new Promise<void>((resolve) => (written = resolve))
    const slow = db.transaction().execute(async (trx) => {
      await addLogEntries(trx, actor(), 'user-changed', [{}])
      written()
      await ended
    })
    onTestFinished(() => end())
    await isWritten
    await write(2)
    for (let times = 0; times < 5; times++) {
      await sealEntries(db)
      await sql`update log_chain_marks set next_at = next_at - interval '2 minutes'`.execute(db)
    }
    expect((await findHead(db))!.position).toBe(2)
    end()
    await slow
    await sealEntries(db)
    expect(await checkChain(db)).toMatchObject({ links: 3, fault: null })
  })

  it('looks only at new entries', async () => {
    const last = (await write(3)).at(-1)
    // Other databases of the server may have transactions that are older.
    const mark = async () => {
      await sealEntries(db)
      await sql`update log_chain_marks set next_at = next_at - interval '2 minutes'`.execute(db)
      return (await db.selectFrom('log_chain_marks').select('linked_to').executeTakeFirstOrThrow()).linked_to
    }
    await expect.poll(mark).toBe(last)
  })

  it('many writers and linkers at the same time make one chain', async () => {
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let times = 0; times < 10; times++) {
          await addLoneLogEntry(db, actor(), 'user-changed')
          await sealEntries(db)
        }
      }),
    )
    await sealEntries(db)
    expect(await checkChain(db)).toMatchObject({ links: 80, fault: null })
  })
})
