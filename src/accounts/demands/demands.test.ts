import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { pageIn } from '../../../test/page-data.ts'
import { ROLES } from '../../rights.ts'

let test: TestApp
let boss: Entered

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  boss = await enter(test, 'administrator')
})

beforeEach(async () => {
  await sql`delete from factor_demands`.execute(test.db)
})

const demand = (fields: Record<string, string>) =>
  boss.visitor.post('/settings/sign-in', { days: '14', ...fields }, { script: true })

const endGrace = () => sql`update factor_demands set starts_at = now() - interval '1 minute'`.execute(test.db)

describe('a role that needs a second factor', () => {
  it('shows how many days are left to add a second factor, and allows everything until then', async () => {
    const { visitor } = await enter(test, 'investor')
    await demand({ investor: '1', days: '9' })
    const page = await visitor.get('/')
    expect(page.statusCode).toBe(200)
    expect(pageIn(page.body).frame.factorDue).toEqual({ days: 9, isPast: false })
    const { visitor: employee } = await enter(test, 'employee')
    expect(pageIn((await employee.get('/')).body).frame.factorDue).toBeNull()
  })

  it('only an administrator with a fresh proof can demand a second factor', async () => {
    await demand({ investor: '1' })
    const setProof = (ago: string) =>
      sql`update sessions set proved_at = now() - ${ago}::interval where user_id = ${boss.id}`.execute(
        test.db,
      )
    await setProof('16 minutes')
    const refused = await demand({})
    await setProof('0')
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ prove: true })
    expect((await sql`select 1 from factor_demands`.execute(test.db)).rows).toHaveLength(1)
  })

  it('redirects to the page that adds a second factor when the days are over, and refuses everything else', async () => {
    const { id, visitor } = await enter(test, 'investor')
    await demand({ investor: '1' })
    await endGrace()
    expect((await visitor.get('/papers')).headers.location).toBe('/profile/second-factor')
    expect((await visitor.get('/profile')).headers.location).toBe('/profile/second-factor')
    expect((await visitor.get('/profile/second-factor')).statusCode).toBe(200)
    expect((await visitor.get('/api/projects')).statusCode).toBe(403)
    expect((await visitor.post('/profile', { name: 'Nyt navn' }, { script: true })).statusCode).toBe(403)
    expect((await visitor.get(`/users/${id}/uploads/x`)).headers.location).toBe('/profile/second-factor')
    expect((await visitor.get(`/users/${id}/zip`)).headers.location).toBe('/profile/second-factor')
    expect((await visitor.post('/logout')).statusCode).toBe(303)
  })

  it('allows everything again after a second factor is added, or after a strong sign-in', async () => {
    const { id, visitor } = await enter(test, 'investor')
    await demand({ investor: '1' })
    await endGrace()
    await sql`update sessions set is_strong = true where user_id = ${id}`.execute(test.db)
    expect((await visitor.get('/papers')).statusCode).toBe(200)
    await sql`update sessions set is_strong = false where user_id = ${id}`.execute(test.db)
    expect((await visitor.get('/papers')).statusCode).toBe(303)
    await sql`insert into code_apps (user_id, secret, last_step) values (${id}, '\\x00', 0)`.execute(test.db)
    expect((await visitor.get('/papers')).statusCode).toBe(200)
  })

  it('refuses to remove the last second factor of a role that needs one', async () => {
    const { id, visitor } = await enter(test, 'investor')
    await sql`insert into code_apps (user_id, secret, last_step) values (${id}, '\\x00', 0)`.execute(test.db)
    await demand({ investor: '1' })
    await endGrace()
    const refused = await visitor.post('/profile/second-factor/app/remove', {}, { script: true })
    expect(refused.statusCode).toBe(422)
    expect(refused.json()).toMatchObject({ message: expect.stringContaining('Kontoret kræver') })
    const { rows } = await sql`select from code_apps where user_id = ${id}`.execute(test.db)
    expect(rows).toHaveLength(1)
  })

  it('administrators are redirected too, and can still reach the page that adds a second factor', async () => {
    await demand({ administrator: '1', days: '0' })
    expect((await boss.visitor.get('/')).headers.location).toBe('/profile/second-factor')
    expect((await boss.visitor.get('/profile/second-factor')).statusCode).toBe(200)
  })
})

describe('the demand', () => {
  it('a role keeps its first day when another role is added, and the change is logged', async () => {
    await demand({ investor: '1', days: '3' })
    const before = await sql`select role, starts_at from factor_demands`.execute(test.db)
    await demand({ investor: '1', auditor: '1', days: '30' })
    const after = await sql`select role, starts_at from factor_demands where role = 'investor'`.execute(
      test.db,
    )
    expect(after.rows).toEqual(before.rows)
    await demand({})
    const { rows } = await sql<{ detail: string }>`
      select detail from log where act = 'factor-demands-changed' order by id desc limit 3`.execute(test.db)
    expect(rows.map(({ detail }) => detail)).toEqual(['', 'auditor,investor', 'investor'])
  })

  it.each(['', '-1', '91', '1.5', 'i morgen', '9'.repeat(300)])(
    'refuses a demand after %j days',
    async (days) => {
      const refused = await demand({ investor: '1', days })
      expect(refused.statusCode).toBe(422)
      expect(refused.json()).toMatchObject({ errors: { days: [expect.stringContaining('0 til 90')] } })
    },
  )

  it.each(ROLES.filter((role) => role !== 'administrator'))(
    'refuses %s the right to change the demand',
    async (role) => {
      const { visitor } = await enter(test, role)
      expect((await visitor.post('/settings/sign-in', { days: '1' })).statusCode).toBe(403)
    },
  )
})
