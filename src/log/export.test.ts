import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { asOwner } from '../../test/database.ts'
import { enter } from '../../test/enter.ts'
import { makeProject, makeUser } from '../../test/make.ts'
import type { Visitor } from '../../test/visitor.ts'
import { readAll } from './entries.db.ts'

const MANY = 30_000
const ODD = '=HYPERLINK("http://ond.example";"Bo")\nB'

let test: TestApp
let admin: Visitor
let port = 0
const ids = { admin: 0, odd: 0, project: 0 }

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  const entered = await enter(test, 'administrator', { name: 'Åse Ærø', email: 'ase@example.dk' })
  admin = entered.visitor
  ids.admin = entered.id
  ids.odd = (await makeUser(test.db, { name: ODD, email: 'odd@example.dk' })).id
  ids.project = (await makeProject(test.db, { number: '1024', name: 'K/S Nordhavn' })).id
  await asOwner(test.db, sql`delete from log`)
  await asOwner(
    test.db,
    sql`
    insert into log (at, act, user_id, address, project_id)
    select '2026-01-01T00:00:00Z'::timestamptz + make_interval(secs => n * 0.0000015), 'project-changed', ${ids.admin},
      '2001:db8::7', ${ids.project} from generate_series(1, ${MANY}::integer) as n`,
  )
  await asOwner(
    test.db,
    sql`insert into log (at, act, subject_user_id) values ('2026-07-01T22:30:05Z', 'user-deactivated', ${ids.odd})`,
  )
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  port = (test.app.server.address() as AddressInfo).port
})

const exports = () =>
  test.db.selectFrom('log').selectAll().where('act', '=', 'log-exported').orderBy('id').execute()

/** Splits a file into lines. No name in it contains a line end. */
const linesOf = (body: string) => body.replace('\ufeff', '').split('\r\n').slice(0, -1)

describe('the log as CSV', () => {
  it('the CSV has Danish headings, the office’s time and no cells that a spreadsheet would run', async () => {
    const { body, headers } = await admin.get(`/log.csv?person=${ids.odd}`)
    expect(body).toBe(
      '\ufeffNr.;Tidspunkt;Hvem;Hvem-id;Hvem-e-mail;Handling;Hvad;Person;Person-id;Person-e-mail;Projektnummer;Projekt;Mappe;Fil;Adresse\r\n' +
        `${/\n(\d+);/.exec(body)![1]};02/07/2026 00:30:05;Systemet;;;Person deaktiveret;` +
        '"deaktiverede =HYPERLINK(""http://ond.example"";""Bo"")\nB";' +
        '"\'=HYPERLINK(""http://ond.example"";""Bo"")\nB";' +
        `${ids.odd};odd@example.dk;;;;;\r\n`,
    )
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="ringbind-log-\d{4}-\d\d-\d\d\.csv"$/,
    )
    expect(headers['cache-control']).toBe('no-store')
  })

  it('logs the download with its filters, but not a HEAD request', async () => {
    const before = (await exports()).length
    expect((await admin.get('/log.csv', { method: 'HEAD' })).statusCode).toBe(200)
    expect(await exports()).toHaveLength(before)
    await admin.get(`/log.csv?project=${ids.project}&to=2025-01-01`)
    expect((await exports()).at(-1)).toMatchObject({
      user_id: ids.admin,
      subject_user_id: null,
      project_id: ids.project,
      address: '127.0.0.1',
    })
  })

  it('the CSV has every entry once, newest first, even if only microseconds apart', async () => {
    const { body } = await admin.get('/log.csv?act=project-changed')
    const numbers = linesOf(body)
      .slice(1)
      .map((line) => Number(line.split(';')[0]))
    expect(numbers).toHaveLength(MANY)
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
    expect(linesOf(body)[1]).toContain(
      ';Projekt ændret;ændrede projektet K/S Nordhavn;;;;1024;K/S Nordhavn;;;2001:db8::7',
    )
    expect(linesOf(body)[1]).toContain(`;01/01/2026 01:00:00;Åse Ærø;${ids.admin};ase@example.dk;Projekt`)
  })

  it('the CSV leaves out entries that are added while the log is read', async () => {
    const [{ last }] = (await sql<{ last: number }>`select max(id) + 1 as last from log`.execute(test.db))
      .rows as [{ last: number }]
    let read = 0
    for await (const entries of readAll(test.db, { act: 'project-changed' }, last)) {
      read += entries.length
      await asOwner(
        test.db,
        sql`insert into log (at, act, project_id)
        values ('2020-01-01', 'project-changed', ${ids.project}), (now(), 'project-changed', ${ids.project})`,
      )
    }
    await asOwner(test.db, sql`delete from log where id > ${last}`)
    expect(read).toBe(MANY)
  })

  it('waits for a slow reader, and stops when the reader disconnects', async () => {
    // Makes the file larger than any buffer on the way holds: 120 MB.
    await sql`update projects set name = repeat('x', 2000) where id = ${ids.project}`.execute(test.db)
    const asked = vi.spyOn(test.db, 'getExecutor')
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const memory = process.memoryUsage().rss
    const call = request({ port, path: '/log.csv', headers: { cookie } })
    const answered = new Promise<IncomingMessage>((resolve) => call.once('response', resolve))
    call.on('error', () => undefined)
    call.end()
    const answer = await answered
    answer.on('error', () => undefined)
    await sleep(2000) // reads nothing yet
    expect(process.memoryUsage().rss - memory).toBeLessThan(100 * 1024 * 1024)
    // Two queries for each thousand of 30,000, and a few from background work.
    expect(asked.mock.calls.length).toBeLessThan(30)
    let taken = 0
    answer.on('data', (chunk: Buffer) => {
      taken += chunk.length
      if (taken > 20_000_000) call.destroy()
    })
    await sleep(2000)
    expect(taken).toBeLessThan(40_000_000)
    expect(asked.mock.calls.length).toBeLessThan(50)
    expect(test.logged()).not.toContain('"level":50')
  })
})
