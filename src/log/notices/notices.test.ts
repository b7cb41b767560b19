import { beforeAll, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter } from '../../../test/enter.ts'
import { urls } from '../../urls.ts'
import { endNotice, listNotices, raiseNotice } from './notices.db.ts'

let test: TestApp

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
})

it('a notice keeps its first time, takes the newest detail, and can be ended', async () => {
  const { db } = test
  await raiseNotice(db, 'disk-low', { free: 1024 })
  const [first] = await listNotices(db, 'employee')
  await raiseNotice(db, 'disk-low', { free: 2048 })
  expect(await listNotices(db, 'employee')).toEqual([
    { kind: 'disk-low', since: first!.since, text: expect.stringContaining('2 KB') },
  ])
  await endNotice(db, 'disk-low')
  expect(await listNotices(db, 'employee')).toEqual([])
})

it('the start page shows each notice to its readers only', async () => {
  const { db } = test
  await raiseNotice(db, 'disk-low', { free: 1024 })
  await raiseNotice(db, 'untrusted-proxy', {})
  const shown = async (role: 'administrator' | 'employee' | 'investor' | 'auditor') => {
    const { body } = await (await enter(test, role)).visitor.get(urls.start)
    return [body.includes('ledig plads på serveren'), body.includes('TRUST_PROXY')]
  }
  expect(await shown('administrator')).toEqual([true, true])
  expect(await shown('employee')).toEqual([true, false])
  expect(await shown('auditor')).toEqual([false, false])
  expect(await shown('investor')).toEqual([false, false])
})
