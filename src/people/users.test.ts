import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { makeUser, PASSWORD } from '../../test/make.ts'
import { Visitor } from '../../test/visitor.ts'
import { USER_FIELDS } from '../accounts/users/user.fields.ts'
import { newValues } from '../base/fields/field.ts'
import { ROLE_NAMES, ROLES, type Role } from '../rights.ts'
import type { UserRow } from './user/user-row.ts'

let test: TestApp
let admin: Visitor
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  const { email } = await makeUser(test.db, {
    role: 'administrator',
    name: 'Zita Ager',
    email: 'chef@kontor.dk',
  })
  admin = new Visitor(test.app)
  await admin.signIn(email, PASSWORD)
  const people = [
    ['Åse Holm', 'ase@example.dk', 'investor', ['30', '4']],
    ['Aage Bro', 'B2@example.dk', 'investor', ['12']],
    ['Øjvind Dal', 'b10@example.dk', 'auditor', []],
    ['Ærling Eg', 'aerling@example.dk', 'employee', []],
    ['René Fisk', 'rene@example.dk', 'investor', ['4b']],
  ] as const
  for (const [name, address, role, numbers] of people)
    await makeUser(test.db, { name, email: address, role, numbers: [...numbers] })
})

const get = async (query = '') =>
  (await admin.get(`/api/users${query}`)).json() as { data: UserRow[]; meta: { total: number } }
const names = async (query: string) => (await get(query)).data.map(({ name }) => name.split(' ')[0])

it('every role has a place in the order, by its Danish name', async () => {
  const { rows } = await sql<{ role: Role }>`
    select role from unnest(${[...ROLES]}::text[]) as role where role_order(role) is not null
    order by role_order(role)`.execute(test.db)
  const danish = ROLES.toSorted((a, b) => ROLE_NAMES[a].localeCompare(ROLE_NAMES[b], 'da'))
  expect(rows.map(({ role }) => role)).toEqual(danish)
})

describe('the list of users', () => {
  it('S7.3 lists exactly the fields that the list shows', async () => {
    const { data } = await get('?q=åse')
    expect(data).toEqual([
      {
        ...newValues(USER_FIELDS, { name: 'Åse Holm', email: 'ase@example.dk', numbers: ['4', '30'] }),
        id: expect.any(Number) as number,
        deactivated: false,
        pending: false,
        image: null,
      },
    ])
  })

  it.each([
    ['', ['René', 'Zita', 'Ærling', 'Øjvind', 'Aage', 'Åse']],
    ['?sort[column]=name&sort[direction]=desc', ['Åse', 'Aage', 'Øjvind', 'Ærling', 'Zita', 'René']],
    ['?sort[column]=numbers&sort[direction]=asc', ['Åse', 'René', 'Aage', 'Zita', 'Ærling', 'Øjvind']],
    ['?sort[column]=numbers&sort[direction]=desc', ['Aage', 'René', 'Åse', 'Zita', 'Ærling', 'Øjvind']],
    ['?sort[column]=email&sort[direction]=asc', ['Ærling', 'Åse', 'Aage', 'Øjvind', 'Zita', 'René']],
    ['?sort[column]=email&sort[direction]=desc', ['René', 'Zita', 'Øjvind', 'Aage', 'Åse', 'Ærling']],
    ['?sort[column]=role&sort[direction]=asc', ['Zita', 'René', 'Aage', 'Åse', 'Ærling', 'Øjvind']],
    ['?sort[column]=role&sort[direction]=desc', ['Øjvind', 'Ærling', 'René', 'Aage', 'Åse', 'Zita']],
  ])('S7.3 sorts users in Danish order: %s', async (query, order) => {
    expect(await names(query)).toEqual(order)
  })

  it.each([
    ['?q=rene', ['René']],
    ['?q=aa', ['Aage', 'Åse']],
    ['?q=30', ['Åse']],
    ['?q=KONTOR', ['Zita']],
    ['?q=ojvind', []],
    ['?q=holm+4', ['Åse']],
    ['?q=%25', []],
  ])('searches users by number, name and e-mail: %s', async (query, found) => {
    expect(await names(query)).toEqual(found)
  })

  it.each([
    ['?sort[column]=password_hash', 'sort.column'],
    ['?page=0', 'page'],
  ])('refuses the query %s', async (query, field) => {
    const answer = await admin.get(`/api/users${query}`)
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [field]])
    expect((await admin.get(`/users${query}`)).statusCode).toBe(200)
  })

  it('the list of users marks deactivated people', async () => {
    await test.db
      .updateTable('users')
      .set({ deactivated_at: new Date() })
      .where('email', '=', 'rene@example.dk')
      .execute()
    expect((await admin.get('/users')).body).toContain('Deaktiveret')
    await test.db
      .updateTable('users')
      .set({ deactivated_at: null })
      .where('email', '=', 'rene@example.dk')
      .execute()
  })

  it.each([
    ['employee', 200],
    ['auditor', 403],
    ['investor', 403],
  ] as const)('%s gets %d', async (role, status) => {
    const email = `${role}@roller.dk`
    await makeUser(test.db, { name: 'Aa', role, email })
    const browser = new Visitor(test.app)
    await browser.signIn(email, PASSWORD)
    expect((await browser.get('/users')).statusCode).toBe(status)
    expect((await browser.get('/api/users')).statusCode).toBe(status)
  })
})
