import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { chanceOf, type Chance } from '../../../test/chance.ts'
import { isLong } from '../../../test/long-only.ts'
import { makeUser } from '../../../test/make.ts'
import { dayOf } from '../../base/time/dates.ts'
import { checkSheet } from './read/check-sheet.server.ts'
import { moveIn } from './move-in.db.ts'
import { findSheet, keepSheet } from './sheets.db.ts'
import { undoSheet } from './undo-sheet.db.ts'

let test: TestApp
let boss: number
beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  boss = (await makeUser(test.db, { role: 'administrator' })).id
})

const PROJECTS = ['Projektnr.', 'Navn', 'CVR', 'Status', 'Regnskabsår', 'Overtaget', 'Solgt den']
const PEOPLE = ['Navn', 'E-mail', 'Rolle', 'Investornr.', 'Projekter']

const table = (name: string, rows: (string | null)[][]) => ({
  name,
  isHidden: false,
  rows: rows.map((cells, at) => ({ row: at + 1, cells })),
  rowsCount: rows.length,
  troubles: [],
  merged: [],
})

/** A random sheet without faults, about few projects and people, so that sheets meet. */
function randomSheet(chance: Chance) {
  const some = (most: number) =>
    Array.from({ length: most }, (_, at) => at).filter(() => chance.of([true, false]))
  const numbers = some(8)
  const projects = numbers.map((at) => [
    `P${at}`,
    chance.of(['K/S Nord', 'K/S Syd', `K/S ${at}`]),
    chance.of(['38291041', null]),
    chance.of(['Aktiv', 'Solgt', null]),
    chance.of(['juni', 'december', null]),
    chance.of(['01/01/2015', null]),
    chance.of(['01/01/2025', null]),
  ])
  const people = some(8).map((at) => [
    chance.of(['Bo', 'Åse Holm', `Navn ${at}`]),
    chance.of([`p${at}@example.dk`, `P${at}@Example.dk`]),
    chance.of(['Investor', null]),
    chance.of([`N${at}`, `N${at}, M${at}`]),
    chance.of([numbers.map((each) => `P${each}`).join(), null]),
  ])
  return checkSheet([table('Projekter', [PROJECTS, ...projects]), table('Personer', [PEOPLE, ...people])])
}

async function move(checked: Awaited<ReturnType<typeof randomSheet>>) {
  const id = await keepSheet(test.db, boss, 'ark', checked)
  const { counts, plan_hash: hash, faults } = (await findSheet(test.db, boss))!
  if (counts.wrong > 0 || faults.length > 0) return null
  const today = dayOf(new Date(), 'Europe/Copenhagen')
  const confirmed = { id, userId: boss, hash, today, followedFrom: today }
  const done = await moveIn(test.db, { userId: boss, address: null }, confirmed)
  return { counts, done, today }
}

const everything = async () =>
  (
    await sql<{ all: unknown }>`
      select json_build_object(
        'projects', (select json_agg(json_build_array(number, name, cvr, status, year_ends, held_from, sold_on, followed_from) order by number)
          from projects),
        'folders', (select count(*) from folders),
        'users', (select json_agg(json_build_array(name, email, role, search, first_number) order by email) from users),
        'numbers', (select json_agg(number order by number) from user_numbers),
        'members', (select json_agg(json_build_array(number, email) order by number, email)
          from project_members join projects on projects.id = project_id join users on users.id = user_id)
      ) as all`.execute(test.db)
  ).rows[0]!.all

it('importing a random sheet again changes nothing, and undoing leaves nothing', async () => {
  const chance = chanceOf(26)
  let moved = 0
  for (let round = 0; round < (isLong ? 40 : 10); round++) {
    const sheet = await randomSheet(chance)
    const before = await everything()
    const first = await move(sheet)
    if (!first) {
      expect(await everything()).toEqual(before)
      continue
    }
    moved++
    const after = await everything()
    const again = await move(sheet)
    expect(again?.counts).toMatchObject({ new: 0, changed: 0, wrong: 0 })
    expect(await everything()).toEqual(after)
    if (chance.of([true, false])) continue
    await undoSheet(test.db, { userId: boss, address: null }, first.done)
    expect(await everything()).toEqual(before)
  }
  expect(moved).toBeGreaterThan(isLong ? 10 : 2)
})
