import { beforeAll, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter } from '../../test/enter.ts'
import { makeProject } from '../../test/make.ts'
import type { Role } from '../rights.ts'

let test: TestApp
beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
})

it.each([
  ['employee', 'En administrator opretter dem'],
  ['auditor', 'Kontoret giver dig adgang'],
  ['investor', 'Kontoret giver dig adgang'],
] satisfies [Role, string][])(
  'an empty start page says what will be there, and shows no first steps: %s',
  async (role, text) => {
    const { visitor } = await enter(test, role)
    const { body } = await visitor.get('/')
    expect(body).toContain(text)
    expect(body).not.toContain('Kom i gang')
    expect(body).not.toContain('siden sidst')
  },
)

it('S8.3 a search without hits says so; an empty list has its own text', async () => {
  const empty = await freshApp({ hasJobs: false })
  const { id, visitor } = await enter(empty, 'administrator')
  const project = await makeProject(empty.db)
  const stranger = await enter(empty, 'auditor')
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
