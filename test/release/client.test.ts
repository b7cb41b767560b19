import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../long-only.ts'
import { describeApi, type CalledRoute } from '../../src/programs/describe.server.ts'
import { EXAMPLE_DOWNLOAD, EXAMPLE_FILE, EXAMPLE_PIECE } from '../../src/programs/curl.ts'
import { METHODS } from '../../src/programs/openapi.ts'
import type { ExampleIds } from '../../src/programs/parameters.ts'
import { calledRoutes } from '../../src/programs/programs.routes.ts'
import { freshApp, type TestApp } from '../app.ts'
import { freshDirectory } from '../directory.ts'
import {
  foldersByName,
  makeFile,
  makeProject,
  makeReport,
  makeToken,
  makeUser,
  makeUserFolder,
} from '../make.ts'

const run = promisify(execFile)
const CLIENT = join(import.meta.dirname, '../client')

let test: TestApp
let root: string
let token: string
let routes: CalledRoute[]
let users: number[]
/** The calls that were answered as the description says. */
const answered = new Set<string>()

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000' },
    routes: (app) =>
      app.addHook('onResponse', (request, reply, done) => {
        const { program } = request.routeOptions.config
        if (program && request.token && reply.statusCode === (program.status ?? 200)) answered.add(program.id)
        done()
      }),
  })
  const { id } = await makeUser(test.db, { role: 'administrator' })
  users = [
    (await makeUser(test.db, { name: 'Investor A', numbers: ['2001'] })).id,
    (await makeUser(test.db, { name: 'Investor B', numbers: ['2002'] })).id,
  ]
  await makeReport(test.db, users[0]!, [{ name: 'K/S Havnefronten', share: 12.5 }])
  await makeProject(test.db, { number: '1024', name: 'K/S Nordhavn', members: users })
  token = await makeToken(test, id)
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  root = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
  routes = calledRoutes(test.app)
})

describe('a client that is generated from the description', () => {
  it('a generated client calls every operation', async () => {
    answered.clear()
    const { stdout } = await run(process.execPath, [join(CLIENT, 'tour.ts'), root, token])
    expect(stdout).toContain('The tour is over.')
    expect([...answered].sort()).toEqual(routes.map(({ call }) => call.id).sort())
  })

  // A generator and a compiler: six seconds of processor time.
  it.runIf(isLong)('a generated client passes the type check', async () => {
    const description = join(await freshDirectory(), 'openapi.json')
    await writeFile(description, await (await fetch(`${root}/api/openapi.json`)).text())
    const programs = createRequire(join(CLIENT, 'package.json'))
    const generator = join(dirname(programs.resolve('openapi-typescript/package.json')), 'bin/cli.js')
    await run(process.execPath, [generator, description, '--output', join(CLIENT, 'api.d.ts')])
    const tsc = join(dirname(programs.resolve('typescript/package.json')), 'bin/tsc')
    // tsc writes faults to its output.
    const checked = await run(process.execPath, [tsc, '-p', CLIENT]).catch(
      (error: { stdout: string }) => error,
    )
    expect(checked.stdout).toBe('')
  })
})

describe('the examples of the page', () => {
  let directory: string
  let base: Pick<ExampleIds, 'project' | 'user' | 'otherUser' | 'release' | 'filter'>

  beforeAll(async () => {
    directory = await freshDirectory()
    await writeFile(join(directory, EXAMPLE_FILE), '%PDF-1.7 årsrapport')
    await writeFile(join(directory, EXAMPLE_PIECE), '0123456789')
    const { rows } = await sql<{ id: number }>`select id from projects where number = '1024'`.execute(test.db)
    const release = await sql<{ id: number }>`select id from releases limit 1`.execute(test.db)
    const [user, otherUser] = users
    base = {
      project: rows[0]!.id,
      user: user!,
      otherUser: otherUser!,
      release: release.rows[0]!.id,
      filter: 'new',
    }
  })

  const call = (path: string, method = 'POST', headers: Record<string, string> = {}) =>
    fetch(root + path, { method, headers: { authorization: `Bearer ${token}`, ...headers } })

  /** Makes what an example is about: each has its own files, so that none depends on another. */
  async function idsFor(id: string): Promise<ExampleIds> {
    const folders = await foldersByName(test.db, base.project)
    const [folder, userFolder] = [folders.Vurderinger!, await makeUserFolder(test.db, base.user)]
    await sql`delete from files where folder_id = any (${[folder, userFolder]})`.execute(test.db)
    const [file, userFile] = [(await makeFile(test, folder)).id, (await makeFile(test, userFolder)).id]
    const remove = async (path: string) =>
      ((await (await call(path, 'DELETE')).json()) as { undo: string }).undo
    const isRestored = /^(restore|undo)/.test(id)
    const undo = isRestored ? await remove(`/api/projects/${base.project}/file/${file}`) : ''
    if (isRestored) await remove(`/api/users/${base.user}/file/${userFile}`)
    const made = await call('/api/temp/tus', 'POST', {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `filename ${btoa('stor.pdf')}`,
    })
    const hash = made.headers.get('location')!.split('/').at(-1)!
    return { ...base, folder, file, userFolder, userFile, otherFolder: folders.Diverse!, undo, hash }
  }

  // Two programs are started for each.
  it.runIf(isLong)(
    'the examples of the API page work when pasted into a shell',
    { timeout: 900_000 },
    async () => {
      const told: Record<string, string> = {}
      for (const { call: described } of routes) {
        const ids = await idsFor(described.id)
        const { paths } = describeApi(routes, root, ids)
        const operations = Object.values(paths).flatMap((path) =>
          METHODS.flatMap((method) => path[method] ?? []),
        )
        const operation = operations.find(({ operationId }) => operationId === described.id)!
        const command = operation['x-codeSamples'][0]!.source
        const { stdout } = await run(
          'bash',
          ['-c', command.replace(/^curl/, `curl -sS -w '\\n%{http_code}'`)],
          {
            cwd: directory,
            env: { ...process.env, RINGBIND_TOKEN: token },
          },
        )
        const status = stdout.trim().split('\n').at(-1)!
        if (status !== String(described.status ?? 200)) told[described.id] = `${command}\n${stdout}`
      }
      expect(told).toEqual({})
      expect(EXAMPLE_DOWNLOAD).not.toBe('')
    },
  )

  it('all examples are on the API page', async () => {
    const page = await (await fetch(`${root}/api/docs`)).text()
    for (const { call: described } of routes) expect(page).toContain(`id="${described.id}"`)
    expect(page).toContain('RINGBIND_TOKEN')
  })
})
