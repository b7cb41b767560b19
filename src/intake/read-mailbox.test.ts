import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { hasDovecot, startDovecot, type Dovecot } from '../../test/neighbours/dovecot.ts'
import { writeMail } from '../../test/office/mails.ts'
import { countUp } from '../../test/counter.ts'
import { DiskLow } from '../server/storage/disk-room.ts'
import { mailboxFault } from './mailbox-faults.ts'
import { readMailbox } from './read-mailbox.server.ts'
import type { Place } from './intake.db.ts'

/** The long tests install dovecot, and fail without it. */
describe.skipIf(!hasDovecot())('a mailbox', () => {
  let test: TestApp
  let dovecot: Dovecot
  let user: string
  const { signal } = new AbortController()

  beforeAll(async () => {
    test = await freshApp({ hasJobs: false })
    dovecot = await startDovecot()
  })
  afterAll(() => dovecot[Symbol.asyncDispose]())

  beforeEach(async () => {
    user = `kontor${countUp()}`
    await sql`with gone as (delete from inbox) delete from submissions`.execute(test.db)
    await sql`update blobs set state = 'removing'`.execute(test.db)
  })

  const read = (place: Place = test, more?: string) =>
    readMailbox(place, { mailbox: dovecot.address(user, more), maxFileBytes: 100_000 }, signal)

  type Row = {
    sender: string
    subject: string
    note: string
    pictures: number
    untaken: { name: string; why: string }[]
    files: { name: string; key: string }[]
  }

  async function taken(): Promise<(Omit<Row, 'files'> & { files: Record<string, string> })[]> {
    const { rows } = await sql<Row>`
      select sender, subject, note, pictures, untaken, coalesce((
        select json_agg(json_build_object('name', name, 'key', key) order by intake_files.id)
        from intake_files join blobs on blobs.id = blob_id where submission_id = intakes.submission_id), '[]') as files
      from intakes join inbox using (submission_id) order by submission_id`.execute(test.db)
    return Promise.all(
      rows.map(async ({ files, ...row }) => ({
        ...row,
        files: Object.fromEntries(
          await Promise.all(
            files.map(async ({ name, key }) => [
              name,
              (await buffer(await test.storage.open(key))).toString('latin1'),
            ]),
          ),
        ) as Record<string, string>,
      })),
    )
  }

  it('reads mails with their files and text', async () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256))
    await dovecot.deliver(
      user,
      await writeMail({
        subject: 'Årsrapport æøå',
        text: 'Kære kontor\n\nHer er den. Æblegrød.',
        html: '<b>nej</b>',
        attachments: [
          { filename: 'Årsrapport (1024) 2025.pdf', content: bytes },
          {
            filename: 'brev.txt',
            content: Buffer.from('Årets brev', 'latin1'),
            contentType: 'text/plain; charset=iso-8859-1',
          },
        ],
      }),
    )
    expect(await read()).toBe(1)
    expect(await taken()).toEqual([
      {
        sender: 'Bo Holm <bo@example.dk>',
        subject: 'Årsrapport æøå',
        note: 'Kære kontor\n\nHer er den. Æblegrød.',
        pictures: 0,
        untaken: [],
        files: { 'Årsrapport (1024) 2025.pdf': bytes.toString('latin1'), 'brev.txt': 'Årets brev' },
      },
    ])
    expect(dovecot.flags(user)).toEqual(['S'])
  })

  it('reads a mail as text, never as HTML', async () => {
    await dovecot.deliver(
      user,
      await writeMail({ html: '<p>Hej <b>Bo</b><script>alert(1)</script></p><p>To</p>' }),
    )
    await read()
    expect(await taken()).toMatchObject([{ note: expect.stringMatching(/^Hej Bo\s+To$/), files: {} }])
  })

  it('reads a mail that is one PDF, and one inside another, and leaves out logos', async () => {
    await dovecot.deliver(
      user,
      'From: scanner@kontor.example\nContent-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0xLjc=\n',
    )
    const inner = await writeMail({
      subject: 'Den indre',
      attachments: [{ filename: 'dyb.pdf', content: 'dyb' }],
    })
    await dovecot.deliver(
      user,
      await writeMail({
        text: 'se her',
        html: '<img src="cid:logo">',
        attachments: [
          { filename: 'indre.eml', content: inner, contentType: 'message/rfc822' },
          { filename: 'logo.png', content: 'png', cid: 'logo', contentDisposition: 'inline' },
        ],
      }),
    )
    await read()
    expect(await taken()).toMatchObject([
      { sender: 'scanner@kontor.example', files: { 'a.pdf': '%PDF-1.7' } },
      { pictures: 1, files: { 'indre.eml': expect.stringContaining('dyb.pdf') } },
    ])
  })

  it('reports a file that is too large, without fetching it', async () => {
    await dovecot.deliver(
      user,
      await writeMail({
        attachments: [
          { filename: 'film.mp4', content: Buffer.alloc(300_000, 7) },
          { filename: 'lille.txt', content: 'lille' },
        ],
      }),
    )
    await read()
    expect(await taken()).toMatchObject([
      {
        untaken: [{ name: 'film.mp4', why: expect.stringContaining('ligger i postkassen') }],
        files: { 'lille.txt': 'lille' },
      },
    ])
  })

  it('reads each mail once, also those that arrive later', async () => {
    await dovecot.deliver(user, await writeMail({ subject: 'en' }))
    expect(await read()).toBe(1)
    expect(await read()).toBe(0)
    await dovecot.deliver(user, await writeMail({ subject: 'to' }))
    await dovecot.deliver(user, await writeMail({ subject: 'to' })) // the same words are no repetition
    expect(await read()).toBe(2)
    expect((await taken()).map(({ subject }) => subject)).toEqual(['en', 'to', 'to'])
  })

  it('reads no mail twice after the mailbox has renumbered them', async () => {
    await dovecot.deliver(user, await writeMail({ subject: 'gammel' }))
    await read()
    await dovecot.deliver(user, await writeMail({ subject: 'ny' }))
    const before = await sql`select uid_validity from intake_mailboxes order by id desc limit 1`.execute(
      test.db,
    )
    await expect
      .poll(async () => {
        dovecot.countAnew(user)
        await read()
        const now = await sql`select uid_validity from intake_mailboxes order by id desc limit 1`.execute(
          test.db,
        )
        return now.rows[0]
      })
      .not.toEqual(before.rows[0])
    expect((await taken()).map(({ subject }) => subject)).toEqual(['gammel', 'ny'])
  })

  it('moves read mails if wished', async () => {
    await dovecot.deliver(user, await writeMail({}))
    expect(await read(test, '/INBOX?move-to=Taget')).toBe(1)
    expect(dovecot.flags(user)).toEqual([])
    expect(dovecot.flags(user, 'Taget')).toEqual(['S'])
  })

  it('marks a mail as read after a crash between taking and marking', async () => {
    await dovecot.deliver(user, await writeMail({}))
    await read()
    await sql`update intake_mails set is_marked = false`.execute(test.db)
    expect(await read(test, '/INBOX?move-to=Taget')).toBe(0)
    expect(dovecot.flags(user, 'Taget')).toEqual(['S'])
    expect(await taken()).toHaveLength(1)
  })

  it('takes a mail whole or not at all: a failing storage leaves nothing', async () => {
    await dovecot.deliver(
      user,
      await writeMail({
        attachments: [1, 2, 3].map((each) => ({ filename: `${each}.txt`, content: `nr. ${each}` })),
      }),
    )
    const storage = Object.create(test.storage) as typeof test.storage
    let puts = 0
    storage.put = (key, bytes) =>
      ++puts === 2 ? Promise.reject(new Error('broken')) : test.storage.put(key, bytes)
    await expect(read({ ...test, storage })).rejects.toThrow('broken')
    expect(await taken()).toEqual([])
    expect(await read()).toBe(1)
    expect(await taken()).toMatchObject([{ files: { '1.txt': 'nr. 1', '2.txt': 'nr. 2', '3.txt': 'nr. 3' } }])
    const { rows } = await sql`
      select from blobs where state = 'stored' and not exists (select from intake_files where blob_id = blobs.id)`.execute(
      test.db,
    )
    expect(rows.length).toBe(0)
  })

  it('reports a mail that cannot be read, and continues', async () => {
    await dovecot.deliver(
      user,
      await writeMail({ subject: 'giftig', attachments: [{ filename: 'a.txt', content: 'x' }] }),
    )
    await dovecot.deliver(user, await writeMail({ subject: 'god' }))
    const storage = Object.create(test.storage) as typeof test.storage
    storage.put = () => Promise.reject(new Error('broken'))
    for (let tries = 0; tries < 5; tries++) await expect(read({ ...test, storage })).rejects.toThrow('broken')
    expect(await read({ ...test, storage })).toBe(2)
    expect(await taken()).toMatchObject([
      { subject: 'giftig', untaken: [{ name: 'Mailen', why: 'kunne ikke læses. Den ligger i postkassen' }] },
      { subject: 'god', untaken: [] },
    ])
  })

  it('does not blame a mail for a full disk', async () => {
    await dovecot.deliver(user, await writeMail({}))
    const storage = Object.create(test.storage) as typeof test.storage
    storage.room = { ...test.storage.room!, ensure: () => Promise.reject(new DiskLow('/', 1, 2)) }
    for (let tries = 0; tries < 8; tries++) await expect(read({ ...test, storage })).rejects.toThrow(DiskLow)
    expect(await read()).toBe(1)
    expect(await taken()).toMatchObject([{ untaken: [] }])
  })

  it.each([
    ['a wrong password', 'no-login', () => ({ password: 'forkert' })],
    ['a folder that is not there', 'no-folder', () => ({ folder: 'Findes ikke' })],
    ['a server that does not answer', 'unreachable', () => ({ port: 9 })],
    ['no secure connection', 'insecure', () => ({ isSecure: true })],
  ])('reports a mailbox with %s', async (_what, fault, change) => {
    await dovecot.deliver(user, await writeMail({}))
    const mailbox = { ...dovecot.address(user), ...change() }
    const error = await readMailbox(test, { mailbox, maxFileBytes: 1 }, signal).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(mailboxFault(error)).toBe(fault)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(mailbox.password)
  })
})
