import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUserFolder } from '../../../test/make.ts'
import { readZip, windowsFault } from '../../../test/zip-reader.ts'
import type { Visitor } from '../../../test/visitor.ts'
import { fileUrls, zipOf } from '../../urls.ts'

let test: TestApp
let people: Record<'office' | 'auditor' | 'member' | 'outsider', Entered>
let project: number
let folders: Record<string, number>

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '1000000' } })
  people = {
    office: await enter(test, 'employee', { email: 'kontor@example.dk' }),
    auditor: await enter(test, 'auditor', { email: 'revisor@example.dk' }),
    member: await enter(test, 'investor', { email: 'medlem@example.dk' }),
    outsider: await enter(test, 'investor', { email: 'fremmed@example.dk' }),
  }
  await test.app.listen({ port: 0, host: '127.0.0.1' })
})

async function freshProject(name = 'K/S Nordhavn Kontorhus', number?: string) {
  const members = [people.auditor.id, people.member.id]
  const made = await makeProject(test.db, { name, members, ...(number && { number }) })
  project = made.id
  folders = await foldersByName(test.db, project)
  return made
}

const put = (folder: string, name: string, bytes: Buffer | string = name) =>
  makeFile(test, folders[folder]!, { name, bytes })

async function fetch(visitor: Visitor, url: string, headers: Record<string, string> = {}) {
  const { statusCode, headers: got, rawPayload, body } = await visitor.get(url, { headers })
  return { status: statusCode, headers: got, bytes: rawPayload, body }
}
const namesIn = (bytes: Buffer) => readZip(bytes).map(({ name }) => name)

describe('an archive', () => {
  it('works', async () => {
    await freshProject('K/S Nordhavn Kontorhus', '1024')
    await put('Budget', 'Budget (1024) 2025.pdf')
    await put('Diverse', 'Æblegrød på årsmøde: "spørgsmål?".pdf', randomBytes(700_000))
    await put('Budget', 'tom.txt', '')
    const all = await fetch(people.office.visitor, fileUrls.zip({ project }))
    expect([all.status, all.headers['content-length'], all.headers['content-type']]).toEqual([
      200,
      String(all.bytes.length),
      'application/zip',
    ])
    console.log(
      all.headers,
      namesIn(all.bytes),
      windowsFault('a'),
      get,
      once,
      sql,
      zipOf,
      makeUserFolder,
      {} as IncomingMessage,
    )
  })
})
