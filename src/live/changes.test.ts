import type { AddressInfo } from 'node:net'
import { beforeAll, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { LONG, openLivePage, type LivePage } from '../../test/live-page.ts'
import { foldersByName, makeFile, makeProject } from '../../test/make.ts'
import { fileUrls, type Topic } from '../urls.ts'

let test: TestApp
let port: number
let admin: Entered

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '1000000' } })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  port = (test.app.server.address() as AddressInfo).port
  admin = await enter(test, 'administrator')
})

const listen = (who: Entered, topic: Topic, since = ''): Promise<LivePage> =>
  openLivePage(port, topic, { cookies: who.visitor.cookies, since })

it('tells a page of a change', async () => {
  const investor = await enter(test, 'investor')
  const { id: project } = await makeProject(test.db, { members: [investor.id] })
  const { Budget: folder } = await foldersByName(test.db, project)
  const page = await listen(investor, `project:${project}`)
  expect(page.status).toBe(200)
  expect(page.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  const before = page.events()
  const file = await makeFile(test, folder!)
  await expect.poll(page.events, LONG).toBe(before + 1)
  const answer = await admin.visitor.post(
    fileUrls.file({ project }, file.id),
    {},
    { script: true, method: 'DELETE' },
  )
  expect(answer.statusCode).toBe(200)
  await expect.poll(page.events, LONG).toBe(before + 2)
})
