import { beforeAll, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter } from '../../test/enter.ts'
import { makeProject } from '../../test/make.ts'
import type { Role } from '../rights.ts'

let test: TestApp
beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
})

const WAYS = ['Opret projekt', 'Inviter bruger', 'Rediger mappeskabelon']

it.each([
  ['administrator', 'Opret så det første projekt', true],
  ['employee', 'En administrator opretter dem', false],
  ['auditor', 'som kontoret giver dig adgang til', false],
  ['investor', 'som kontoret giver dig adgang til', false],
] satisfies [Role, string, boolean][])(
  'an empty start page shows first steps to the administrator, and says what will be there to others: %s',
  async (role, text, hasWays) => {
    const { visitor } = await enter(test, role)
    const { body } = await visitor.get('/')
    expect(body).toContain(text)
    expect(WAYS.filter((way) => body.includes(`${way}</a>`))).toEqual(hasWays ? WAYS : [])
    expect(body).not.toContain('siden sidst')
  },
)

it('a start page with projects has no first steps', async () => {
  const { visitor } = await enter(test, 'administrator')
  await makeProject(test.db)
  expect((await visitor.get('/')).body).not.toContain('Opret projekt')
})

it('S8.3 a search without hits says so; an empty list has its own text', async () => {
  const empty = await freshApp({ hasJobs: false })
  const { id, visitor } = await enter(empty, 'administrator')
  const project = await makeProject(empty.db)
  const stranger = await enter(empty, 'investor')
  const pages = [
    [stranger.visitor, '/projects', 'Ingen projekter endnu'],
    [visitor, `/projects/${project.id}/trash`, 'Papirkurven er tom'],
    [visitor, `/users/${id}/trash`, 'Papirkurven er tom'],
  ] as const
  for (const [who, address, text] of pages) {
    const [plain, searched] = [await who.get(address), await who.get(`${address}?q=findes+ikke`)]
    expect([address, plain.body.includes(text), plain.body.includes('Intet fundet...')]).toEqual([
      address,
      true,
      false,
    ])
    expect([address, searched.body.includes(text), searched.body.includes('Intet fundet...')]).toEqual([
      address,
      false,
      true,
    ])
  }
})
