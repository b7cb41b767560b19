import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, inject, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { connect } from '../../src/server/database/database.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { freshApp, type TestApp } from '../app.ts'
import { afterwards } from '../clean-up.ts'
import { enter, type Entered } from '../enter.ts'
import { foldersByName, makeFile, makeProject, PASSWORD } from '../make.ts'
import { Visitor } from '../visitor.ts'

// Two instances on one database, as two processes or two machines would be.

const script = { script: true }

let test: TestApp
let apps: [FastifyInstance, FastifyInstance]
let admin: Visitor
let readers = 0

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '1000000' } })
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(test.db)
  const connection = { host: inject('socket'), user: 'ringbind', database: rows[0]!.name, max: 5 }
  const db = connect({ connection, onError: () => undefined })
  const other = await buildApp({ ...test, db })
  afterwards(async () => {
    await other.close()
    await db.destroy()
  })
  apps = [test.app, other]
  admin = (await enter(test, 'administrator')).visitor
})

type Scene = { reader: Entered; project: number; folder: number; addresses: string[] }

/** An investor with a project, a shared folder and a file in it. */
async function makeScene(): Promise<Scene> {
  const reader = await enter(test, 'investor', { email: `laeser${++readers}@example.dk` })
  const project = (await makeProject(test.db, { members: [reader.id] })).id
  const folder = (await foldersByName(test.db, project)).Budget!
  const { path } = await makeFile(test, folder)
  const owner = { project }
  return {
    reader,
    project,
    folder,
    addresses: [fileUrls.open(owner, path), fileUrls.download(owner, path)],
  }
}

/** Signs the same browser in at another instance: the session is one. */
function at(app: FastifyInstance, { cookies }: Visitor): Visitor {
  return Object.assign(new Visitor(app), { cookies: new Map(cookies) })
}

type Answered = { isAfter: boolean; status: number }

/**
 * Sends requests to both instances without a pause, several at once, until `isOver`; marks those after the revocation.
 */
async function askOn(
  { reader, addresses }: Scene,
  state: { isRevoked: boolean; isOver: boolean },
  headers: Record<string, string> = {},
): Promise<Answered[]> {
  const answers: Answered[] = []
  const goOn = async (visitor: Visitor, address: string) => {
    while (!state.isOver) {
      const isAfter = state.isRevoked
      const { statusCode: status } = await visitor.get(address, { headers })
      answers.push({ isAfter, status })
    }
  }
  await Promise.all(apps.flatMap((app) => addresses.map((address) => goOn(at(app, reader.visitor), address))))
  return answers
}

const edit = (project: number, fields: object) => admin.post(urls.editProject(project), { ...fields }, script)

const REVOCATIONS: [what: string, revoke: (scene: Scene) => Promise<{ statusCode: number }>, then: number][] =
  [
    [
      'a person who is deactivated',
      ({ reader }) => admin.post(urls.deactivateUser(reader.id), {}, script),
      303,
    ],
    [
      'a session that is ended from another browser',
      async ({ reader }) => {
        const other = new Visitor(test.app)
        await other.signIn(`laeser${readers}@example.dk`, PASSWORD)
        expect((await other.get(urls.profile)).statusCode).toBe(200)
        expect(reader.id).toBeGreaterThan(0)
        return other.post(urls.endOtherSessions, {}, script)
      },
      303,
    ],
    [
      'a session that signs out',
      ({ reader }) => at(test.app, reader.visitor).post(urls.logout, {}, script),
      303,
    ],
    [
      'a member who is removed from the project',
      async ({ project, reader }) => {
        const { number, name } = await test.db
          .selectFrom('projects')
          .select(['number', 'name'])
          .where('id', '=', project)
          .executeTakeFirstOrThrow()
        return edit(project, { number, name, remove_members: [reader.id] })
      },
      404,
    ],
    [
      'a folder that is no longer shared',
      ({ project, folder }) =>
        admin.post(urls.folder(urls.projectFolders(project), folder), { name: 'Budget' }, script),
      404,
    ],
    [
      'a file that is deleted',
      async ({ project, addresses }) => {
        const key = /[0-9a-f]{32}/.exec(addresses[0]!)![0]
        const { id } = await test.db
          .selectFrom('files')
          .select('id')
          .where('key', '=', key)
          .executeTakeFirstOrThrow()
        return admin.post(fileUrls.file({ project }, id), {}, { ...script, method: 'DELETE' })
      },
      404,
    ],
  ]

/** How many answers are waited for before the revocation and after it. */
const ENOUGH = process.env.TESTS === 'long' ? 30 : 5

it.each(REVOCATIONS)(
  '%s reads nothing more at either instance, from the next request on, while both are busy',
  { timeout: 5 * 60_000 },
  async (_what, revoke, refusal) => {
    const scene = await makeScene()
    const state = { isRevoked: false, isOver: false }
    const tag = (await scene.reader.visitor.get(scene.addresses[0]!)).headers.etag as string
    const [whole, unchanged] = [askOn(scene, state), askOn(scene, state, { 'if-none-match': tag })]
    const others = at(apps[1], admin)
    for (let round = 0; round < ENOUGH; round++)
      expect((await others.get(urls.listProjects)).statusCode).toBe(200)
    expect((await revoke(scene)).statusCode).toBeLessThan(400)
    state.isRevoked = true
    for (let round = 0; round < ENOUGH; round++)
      expect((await others.get(urls.listProjects)).statusCode).toBe(200)
    state.isOver = true
    for (const [answers, shown] of [
      [await whole, 200],
      [await unchanged, 304],
    ] as const) {
      const statuses = (isAfter: boolean) =>
        new Set(answers.filter((each) => each.isAfter === isAfter).map(({ status }) => status))
      expect(statuses(false)).toContain(shown)
      expect([...statuses(true)]).toEqual([refusal])
    }
  },
)
