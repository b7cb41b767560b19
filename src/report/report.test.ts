import { sql } from 'kysely'
import { Client } from 'pg'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { asOwner } from '../../test/database.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { makeReport, makeUser, type NewCompany } from '../../test/make.ts'
import type { Visitor } from '../../test/visitor.ts'
import { COLUMNS, EDITABLE_WHEN_LOCKED, type CompanyReport } from './company/company.ts'
import { FIRST_FIELDS } from './sheet/use-sheet.ts'

let test: TestApp
let office: Entered
let investor: Entered
let address: string
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = await enter(test, 'employee')
})
beforeEach(async () => {
  investor = await enter(test, 'investor', { name: 'Søren Kjærgaard' })
  address = `/users/${investor.id}/report`
})

type Fields = Record<string, unknown>

const save = (fields: Fields, visitor = investor.visitor, url = address) =>
  visitor.post(url, fields, { script: true })
const read = async (visitor = office.visitor) => (await visitor.get(`/api${address}`)).json<CompanyReport>()
const make = (...companies: NewCompany[]) => makeReport(test.db, investor.id, companies)
const faults = (answer: { json: () => unknown }) =>
  (answer.json() as { errors: Record<string, string[]> }).errors
const namesOf = ({ companies }: CompanyReport) => companies.map(({ name }) => name)
const acts = async () => {
  const { rows } = await sql<{ act: string; user_id: number | null }>`
    select act, user_id from log where subject_user_id = ${investor.id} and act ~ '^report-(saved|row)' order by id`.execute(
    test.db,
  )
  return rows.map(({ act, user_id: by }) => [act, by])
}
const ALL = COLUMNS.map(({ name }) => name)

describe('the page of a long report', () => {
  it('the page of a long report has every row without JavaScript, in order, and fields in the first ones', async () => {
    await make(...Array.from({ length: 130 }, (_, index) => ({ name: `K/S <!--pieces 0--> ${index} $&` })))
    const html = (await investor.visitor.get(address)).body
    const rows = [...html.matchAll(/<tr[^>]* data-row=.*?<\/tr>/gs)].map(([row]) => row)
    expect(rows).toHaveLength(130)
    for (const [index, row] of rows.entries()) {
      expect(row).toContain(`K/S &lt;!--pieces 0--&gt; ${index} $&amp;`)
      expect(row.includes('<input')).toBe(index < FIRST_FIELDS)
      expect(row.match(/<td/g)).toHaveLength(COLUMNS.length + 1)
    }
    expect(html).not.toContain('<!--pieces')
    expect(html).toContain('</tbody><tfoot')
  })
})

describe('the log of who read a report', () => {
  const reads = async () => {
    const { rows } = await sql<{ act: string; user_id: number }>`
      select act, user_id from log where subject_user_id = ${investor.id}
        and act in ('report-opened', 'report-downloaded') order by act, id`.execute(test.db)
    return rows.map(({ act, user_id: by }) => [act, by])
  }
  const ways = [() => address, () => `/api${address}`, () => `${address}.xlsx`]

  it('logs one entry of each kind per person, report and ten minutes', async () => {
    await Promise.all([0, 1, 2].flatMap(() => ways.map((way) => office.visitor.get(way()))))
    const mine = [
      ['report-downloaded', office.id],
      ['report-opened', office.id],
    ]
    expect(await reads()).toEqual(mine)
    await asOwner(
      test.db,
      sql`update log set at = at - interval '11 minutes' where subject_user_id = ${investor.id}`,
    )
    await office.visitor.get(address)
    expect(await reads()).toEqual([...mine, ['report-opened', office.id]])
  })

  it.each([0, 1, 2])('logs reading of the page, the JSON and the Excel file: way %i', async (way) => {
    await office.visitor.get(ways[way]!())
    expect(await reads()).toEqual([[way === 2 ? 'report-downloaded' : 'report-opened', office.id]])
  })

  it('does not log one’s own report, HEAD, or a refused report', async () => {
    const other = await enter(test, 'investor')
    for (const way of ways) {
      await investor.visitor.get(way())
      await other.visitor.get(way())
      await office.visitor.get(way(), { method: 'HEAD' })
    }
    expect(await reads()).toEqual([])
  })

  it('a report is shown even if the log cannot be written', async () => {
    await asOwner(
      test.db,
      sql`alter table log add constraint no_reads check (act <> 'report-opened') not valid`,
    )
    try {
      expect((await office.visitor.get(address)).statusCode).toBe(200)
    } finally {
      await asOwner(test.db, sql`alter table log drop constraint no_reads`)
    }
  })
})

describe('a report', () => {
  it('a report is empty at first, also on its page', async () => {
    expect(await read(investor.visitor)).toEqual({ version: 0, companies: [] })
    const page = await investor.visitor.get(address)
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  })

  it('S3.5 each row says which cells may be edited and whether it may be deleted', async () => {
    await make(
      { name: 'K/S Åben', cvr: '38291041', share: 33.3333, equity: -5 },
      { name: 'K/S Låst', locked: true },
    )
    const [open, locked] = (await read(investor.visitor)).companies
    expect(open).toEqual({
      id: expect.any(Number) as number,
      name: 'K/S Åben',
      cvr: '38291041',
      share: 33.3333,
      year: null,
      contribution: null,
      liability: null,
      equity: -5,
      debt: null,
      result: null,
      locked: false,
      editable: ALL,
      deletable: true,
    })
    expect(locked).toMatchObject({ locked: true, editable: EDITABLE_WHEN_LOCKED, deletable: false })
    expect((await read()).companies[1]).toMatchObject({ locked: true, editable: ALL, deletable: true })
  })

  it('S2.8 a report is saved as a whole: with new, changed, moved and removed rows', async () => {
    const { companies } = await make({ name: 'A' }, { name: 'B', debt: 7 }, { name: 'C', cvr: '38291041' })
    const [a, , c] = companies
    const answer = await save({
      version: 1,
      rows: 3,
      companies: [
        { id: c!.id, name: 'C', cvr: '' },
        { name: ' Ny  Æ ', share: '12.5', year: '2025', contribution: '0', result: '-1250000' },
        { id: a!.id, equity: '-12' },
      ],
    })
    expect(answer.statusCode).toBe(200)
    const { redirect, report } = answer.json<{ redirect: string; report: CompanyReport }>()
    expect([redirect, report]).toEqual([address, await read(investor.visitor)])
    expect(report).toMatchObject({
      version: 2,
      companies: [
        { id: c!.id, name: 'C', cvr: null },
        { name: 'Ny Æ', share: 12.5, year: 2025, contribution: 0, liability: null, result: -1_250_000 },
        { id: a!.id, name: 'A', equity: -12 },
      ],
    })
    expect(await acts()).toEqual([
      ['report-saved', null],
      ['report-saved', investor.id],
    ])
  })

  it('a report is not saved again if nothing changed', async () => {
    const { companies } = await make({ name: 'A', share: 33.3333, equity: -5, cvr: '38291041' })
    const before = (await sql`select xmin, * from report_companies`.execute(test.db)).rows
    const answer = await save({
      version: 1,
      companies: [
        { id: companies[0]!.id, name: 'A', share: '33.3333', equity: '-5', cvr: 'DK 38291041', year: '' },
      ],
    })
    expect([answer.statusCode, answer.json<{ report: CompanyReport }>().report.version]).toEqual([200, 1])
    expect((await sql`select xmin, * from report_companies`.execute(test.db)).rows).toEqual(before)
    expect(await acts()).toEqual([['report-saved', null]])
  })

  it('saving a report writes only the rows that changed', async () => {
    const { companies } = await make(...['A', 'B', 'C', 'D'].map((name) => ({ name })))
    const writtenBy = async () => {
      const { rows } = await sql<{ name: string; xmin: string }>`
        select name, xmin::text from report_companies where user_id = ${investor.id} order by place`.execute(
        test.db,
      )
      return new Map(rows.map(({ name, xmin }) => [name, xmin]))
    }
    const before = await writtenBy()
    const [, b, c, d] = companies.map(({ id }) => ({ id }))
    await save({ version: 1, companies: [b, { ...c, debt: 5 }, d, { name: 'E' }] })
    const after = await writtenBy()
    expect([...after].filter(([name, by]) => before.get(name) !== by).map(([name]) => name)).toEqual([
      'C',
      'E',
    ])
  })

  it('a report may be sent as multipart, urlencoded or JSON, with a thousand rows', async () => {
    const row = { name: 'K/S Østerbro & Æbeltoft', cvr: '38291041', share: '12.5', year: '2025', locked: '0' }
    const money = { contribution: '1', liability: '2', equity: '-3', debt: '4', result: '-5' }
    const pairs = (version: number): [string, string][] => [
      ['version', String(version)],
      ['rows', '1000'],
      ...Array.from({ length: 1000 }, (_, index) =>
        Object.entries({ id: '', ...row, ...money, name: `${row.name} ${index}` }).map(
          ([column, value]): [string, string] => [`companies[${index}][${column}]`, value],
        ),
      ).flat(),
    ]
    const form = new FormData()
    for (const [name, value] of pairs(1)) form.set(name, value)
    const multipart = new Response(form)
    const bodies: [string, string | Buffer][] = [
      ['application/x-www-form-urlencoded', new URLSearchParams(pairs(0)).toString()],
      [multipart.headers.get('content-type')!, Buffer.from(await multipart.arrayBuffer())],
      [
        'application/json',
        JSON.stringify({
          version: 2,
          rows: 1000,
          companies: Array.from({ length: 1000 }, (_, index) => ({
            ...row,
            ...money,
            name: `${row.name} ${index}`,
          })),
        }),
      ],
    ]
    for (const [type, payload] of bodies) {
      const answer = await sendAs(investor.visitor, type, payload)
      expect([type, answer.statusCode]).toEqual([type, 200])
      const { report } = answer.json<{ report: CompanyReport }>()
      expect([report.companies.length, report.companies[999]]).toEqual([
        1000,
        expect.objectContaining({ name: 'K/S Østerbro & Æbeltoft 999', share: 12.5, equity: -3, result: -5 }),
      ])
    }
  })

  it('a report sent without JavaScript redirects to its page', async () => {
    const answer = await investor.visitor.post(address, { version: 0, companies: [{ name: 'A' }] })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, address])
  })
})

/** Sends a body of any kind, with the token that scripts send. */
async function sendAs(visitor: Visitor, type: string, payload: string | Buffer) {
  await visitor.get('/findes-ikke')
  return visitor.get(address, {
    method: 'POST',
    payload,
    headers: {
      cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'content-type': type,
      'x-requested-with': 'XMLHttpRequest',
      'x-xsrf-token': decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!),
    },
  })
}

describe('a refused save changes nothing', () => {
  it('S3.8 a refused save reports the fault of each cell', async () => {
    const { companies } = await make({ name: 'A' }, { name: 'B', locked: true })
    const [a, b] = companies
    const before = await read()
    const answer = await save({
      version: 1,
      companies: [
        { id: a!.id, name: ' ', cvr: '12345678', share: '100.0001', contribution: '1' + '0'.repeat(20) },
        { id: b!.id, name: 'C', equity: '1.5' },
        { name: 'Ny', id: '999999' },
        { name: 'Ny', user_id: office.id, locked: '1' },
      ],
    })
    expect([answer.statusCode, faults(answer)]).toEqual([
      422,
      {
        'companies.0.name': ['Navnet skal udfyldes.'],
        'companies.0.cvr': ['CVR-nummeret er ikke gyldigt. Kontroller de otte cifre.'],
        'companies.0.share': ['Ejerandelen skal være mellem 0 og 100 %.'],
        'companies.0.contribution': ['Beløbet må højst være 999.999.999.999 kr.'],
        'companies.1.name': ['Kontoret har låst rækken, så feltet kan ikke ændres.'],
        'companies.1.equity': ['Beløbet skal være i hele kroner.'],
        'companies.2.id': ['Rækken findes ikke i denne rapport.'],
        'companies.3.user_id': ['Kolonnen findes ikke.'],
        'companies.3.locked': ['Kun kontoret kan låse og låse op.'],
      },
    ])
    expect(await read()).toEqual(before)
  })

  it.each<[what: string, fields: Fields, at: string[]]>([
    ['an empty form', {}, ['version', 'rows']],
    ['no version', { rows: 0 }, ['version']],
    ['no rows, without saying so', { version: 1 }, ['rows']],
    ['fewer rows than it says', { version: 1, rows: 3, companies: [{ name: 'A' }] }, ['rows']],
    ['rows without valid indexes', { version: 1, companies: { x: { name: 'A' } } }, ['companies']],
    ['a text for rows', { version: 1, companies: 'alle' }, ['rows']],
  ])('refuses %s', async (_what, fields, at) => {
    await make({ name: 'A' })
    const answer = await save(fields)
    expect([answer.statusCode, Object.keys(faults(answer))]).toEqual([422, at])
    expect(namesOf(await read())).toEqual(['A'])
  })

  it('refuses a body that is no form', async () => {
    await make({ name: 'A' })
    for (const body of ['[]', '[1]', 'null', '"x"', '1'])
      expect([body, (await sendAs(investor.visitor, 'application/json', body)).statusCode]).toEqual([
        body,
        422,
      ])
    expect(namesOf(await read())).toEqual(['A'])
  })

  it('refuses more than a thousand rows, whatever is in them', async () => {
    await make({ name: 'A' })
    const answer = await save({ version: 1, companies: Array.from({ length: 1001 }, () => ({ name: '' })) })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      413,
      { message: 'Der kan højst være 1.000 selskaber i en rapport.' },
    ])
    expect(namesOf(await read())).toEqual(['A'])
  })

  it('refuses a row of another person, or the same row twice', async () => {
    const other = await makeUser(test.db)
    const theirs = (await makeReport(test.db, other.id, [{ name: 'Deres', debt: 5 }])).companies[0]!
    const mine = (await make({ name: 'A' })).companies[0]!
    for (const visitor of [investor.visitor, office.visitor]) {
      const answer = await save(
        { version: 1, companies: [{ id: mine.id }, { id: theirs.id, debt: 6 }, { id: mine.id, name: 'B' }] },
        visitor,
      )
      expect([answer.statusCode, faults(answer)]).toEqual([
        422,
        {
          'companies.1.id': ['Rækken findes ikke i denne rapport.'],
          'companies.2.id': ['Rækken er med to gange.'],
        },
      ])
    }
    const { rows } = await sql`
      select user_id, name, debt from report_companies where id in (${mine.id}, ${theirs.id}) order by id`.execute(
      test.db,
    )
    expect(rows).toEqual([
      { user_id: other.id, name: 'Deres', debt: 5 },
      { user_id: investor.id, name: 'A', debt: null },
    ])
  })

  it('refuses another person’s id in the form', async () => {
    const other = await makeUser(test.db)
    await save({ version: 0, user: other.id, user_id: other.id, companies: [{ name: 'A' }] })
    expect(namesOf(await read())).toEqual(['A'])
    const theirs = await office.visitor.get(`/api/users/${other.id}/report`)
    expect(theirs.json()).toEqual({ version: 0, companies: [] })
  })

  it('refuses an old version, and returns the present table', async () => {
    await make({ name: 'A' })
    await save({ version: 1, companies: [{ name: 'B' }] }, office.visitor)
    for (const version of [0, 1, 3]) {
      const answer = await save({ version, companies: [{ name: 'C' }] })
      expect([answer.statusCode, answer.json()]).toMatchObject([
        409,
        {
          message: 'Rapporten er ændret, siden du åbnede den. Dine ændringer er ikke gemt.',
          report: await read(investor.visitor),
        },
      ])
    }
    expect(namesOf(await read())).toEqual(['B'])
  })

  it.each([0, 1])('refuses one of two simultaneous saves of version %d', async (version) => {
    if (version === 1) await make({ name: 'A' })
    const answers = await Promise.all([
      save({ version, companies: [{ name: 'Mit' }] }),
      save({ version, companies: [{ name: 'Kontorets' }] }, office.visitor),
    ])
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect([
      [200, 409],
      [409, 200],
    ]).toContainEqual(statuses)
    const saved = await read()
    expect([saved.version, namesOf(saved)]).toEqual([
      version + 1,
      [statuses[0] === 200 ? 'Mit' : 'Kontorets'],
    ])
  })
})

describe('a locked row', () => {
  it('in a locked row the investor can change only the figures of the year, and not delete it', async () => {
    const { companies } = await make(
      { name: 'Låst', share: 10, cvr: '38291041', locked: true },
      { name: 'B' },
    )
    const [locked, b] = companies.map(({ id }) => ({ id }))
    // Locked values may be sent unchanged.
    const same = { name: 'Låst', share: '10', cvr: '38291041', year: '', contribution: '', locked: '1' }
    const good = await save({
      version: 1,
      companies: [{ ...locked, ...same, liability: '1', equity: '-2', debt: '3', result: '4' }, b],
    })
    expect(good.statusCode).toBe(200)
    expect((await read()).companies[0]).toMatchObject({
      name: 'Låst',
      share: 10,
      cvr: '38291041',
      liability: 1,
      equity: -2,
      debt: 3,
      result: 4,
      locked: true,
    })
    const before = await read()
    for (const [row, at] of [
      [{ ...locked, contribution: '5' }, 'companies.0.contribution'],
      [{ ...locked, cvr: '' }, 'companies.0.cvr'],
      [{ ...locked, locked: '0' }, 'companies.0.locked'],
      [{ name: 'I stedet' }, 'companies'],
    ] as const) {
      const answer = await save({ version: 2, companies: [row, b] })
      expect([answer.statusCode, Object.keys(faults(answer))]).toEqual([422, [at]])
    }
    expect(await read()).toEqual(before)
  })

  it('the office can lock, change, unlock and delete a row, which is logged', async () => {
    const { id } = (await make({ name: 'A' })).companies[0]!
    const step = (row: Fields, version: number) =>
      save({ version, companies: [{ id, ...row }] }, office.visitor)
    expect((await step({ locked: '1' }, 1)).statusCode).toBe(200)
    expect((await read(investor.visitor)).companies[0]).toMatchObject({ locked: true, deletable: false })
    expect((await step({ name: 'B' }, 2)).json()).toMatchObject({
      report: { version: 3, companies: [{ name: 'B', locked: true, editable: ALL, deletable: true }] },
    })
    expect((await step({ name: 'C', locked: '0' }, 3)).statusCode).toBe(200)
    await step({ locked: true }, 4)
    expect((await save({ version: 5, rows: 0 }, office.visitor)).json()).toMatchObject({
      report: { version: 6, companies: [] },
    })
    expect(await acts()).toEqual([
      ['report-saved', null],
      ['report-row-locked', office.id],
      ['report-saved', office.id],
      ['report-saved', office.id],
      ['report-row-unlocked', office.id],
      ['report-row-locked', office.id],
      ['report-saved', office.id],
    ])
  })
})

describe('who sees a report', () => {
  const answers = async (visitor: Visitor, user: number) => {
    const urls = [`/users/${user}/report`, `/api/users/${user}/report`, `/users/${user}/report.xlsx`]
    const got = await Promise.all(urls.map((url) => visitor.get(url)))
    const posted = await save({ version: 0, companies: [{ name: 'A' }] }, visitor, urls[0])
    return [...got, posted].map(({ statusCode }) => statusCode)
  }

  it('only the investor and the office see a report', async () => {
    const other = await makeUser(test.db)
    expect(await answers(investor.visitor, investor.id)).toEqual([200, 200, 200, 200])
    expect(await answers(investor.visitor, other.id)).toEqual([404, 404, 404, 404])
    expect(await answers((await enter(test, 'administrator')).visitor, other.id)).toEqual([
      200, 200, 200, 200,
    ])
    expect(await answers((await enter(test, 'auditor')).visitor, investor.id)).toEqual([403, 403, 403, 403])
    expect(await answers(office.visitor, 999_999)).toEqual([404, 404, 404, 404])
  })

  it('people who are not investors have no report, unless they were one and still have rows', async () => {
    const auditor = await makeUser(test.db, { role: 'auditor' })
    expect(await answers(office.visitor, auditor.id)).toEqual([404, 404, 404, 404])
    expect(await answers(office.visitor, office.id)).toEqual([404, 404, 404, 404])
    await make({ name: 'A' })
    await sql`update users set role = 'auditor' where id = ${investor.id}`.execute(test.db)
    expect(namesOf(await read())).toEqual(['A'])
  })
})

it('saving a thousand rows takes as many statements as ten', async () => {
  const rows = (many: number, more: Fields = {}) =>
    Array.from({ length: many }, (_, index) => ({ name: `K/S ${index}`, ...more }))
  const statements = async (fields: Fields) => {
    const query = vi.spyOn(Client.prototype, 'query')
    const began = performance.now()
    const answer = await save(fields, office.visitor)
    const ms = performance.now() - began
    // Leaves out the queries of the server's jobs.
    const many = query.mock.calls.filter(([text]) => !/\bjobs\./.test(text)).length
    query.mockRestore()
    expect([answer.statusCode, ms < 5000]).toEqual([200, true])
    return many
  }
  // Each changes every row, locks it, deletes one and adds one.
  const change = ({ companies }: CompanyReport) => [
    ...companies.slice(1).map(({ id }) => ({ id, debt: '5', locked: '1' })),
    { name: 'Ny' },
  ]
  const counts: number[] = []
  for (const many of [10, 1000]) {
    investor = await enter(test, 'investor')
    address = `/users/${investor.id}/report`
    const added = await statements({ version: 0, companies: rows(many) })
    const changed = await statements({ version: 1, companies: change(await read()) })
    counts.push(added, changed)
  }
  const [added, changed, manyAdded, manyChanged] = counts
  // The session's time may be updated meanwhile.
  expect(manyAdded).toBeLessThanOrEqual(added! + 1)
  expect(manyChanged).toBeLessThanOrEqual(changed! + 1)
  expect(Math.max(...counts)).toBeLessThan(20)
})

it('the investor can download the report as a spreadsheet', async () => {
  await make({ name: 'K/S Å' })
  const { statusCode, headers, rawPayload } = await investor.visitor.get(`${address}.xlsx`)
  expect([
    statusCode,
    headers['content-type'],
    headers['cache-control'],
    headers['content-encoding'],
  ]).toEqual([
    200,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'private, no-store',
    undefined,
  ])
  const today = new Date().toLocaleDateString('sv', { timeZone: 'Europe/Copenhagen' })
  expect(headers['content-disposition']).toBe(
    `attachment; filename="Rapport Soeren Kjaergaard ${today}.xlsx"; filename*=UTF-8''Rapport%20S%C3%B8ren%20Kj%C3%A6rgaard%20${today}.xlsx`,
  )
  expect(rawPayload.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04')
})
