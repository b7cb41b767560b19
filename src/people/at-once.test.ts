import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUser, NOBODY, OFFICE } from '../../test/make.ts'
import { Visitor } from '../../test/visitor.ts'
import { changeUser, deactivateUser } from '../accounts/change-user.db.ts'
import { addLinkToken } from '../accounts/links/link-tokens.db.ts'
import { USER_FIELDS } from '../accounts/users/user.fields.ts'
import { newValues } from '../base/fields/field.ts'
import { addFiles } from '../files/change/change.db.ts'
import { listProjectsOf } from '../projects/members.db.ts'
import { receiveBlob } from '../server/storage/blobs.db.ts'
import type { Trx } from '../server/database/database.ts'
import { fileUrls } from '../urls.ts'
import { getUser } from './user/users.db.ts'

// Tests two changes at the same time, of which one has to wait for the other.
let test: TestApp
let admin: Entered
beforeAll(async () => {
  test = await freshApp({ hasJobs: 'mails', env: { REQUESTS_PER_MINUTE: '100000' } })
  admin = await enter(test, 'administrator')
})

const post = (who: Entered, url: string, fields: Record<string, unknown> = {}) =>
  who.visitor.post(url, fields, { script: true })

/** Does some work in a transaction, and keeps it open until the returned function is called. */
async function hold(work: (trx: Trx) => Promise<unknown>): Promise<() => Promise<void>> {
  const [done, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const all = test.db.transaction().execute(async (trx) => {
    await work(trx)
    done.resolve()
    await go.promise
  })
  await done.promise
  return async () => {
    go.resolve()
    await all
  }
}

const ENOUGH_TO_WAIT = 300

describe('a form that was open for a while', () => {
  it('a form that was open for a while keeps another administrator’s changes and makes its own', async () => {
    const user = await makeUser(test.db, { role: 'administrator', name: 'Bo', numbers: ['åben-1'] })
    const was = { name: 'Bo', email: user.email, role: 'administrator', numbers: ['åben-1'] }
    await post(admin, `/users/${user.id}/edit`, {
      ...was,
      role: 'auditor',
      numbers: ['åben-1', 'åben-2'],
      was,
    })
    await post(admin, `/users/${user.id}/edit`, {
      ...was,
      name: 'Bo Bang',
      numbers: ['åben-1', 'åben-3'],
      was,
    })
    expect(await getUser(test.db, OFFICE, user.id)).toMatchObject({
      name: 'Bo Bang',
      role: 'auditor',
      numbers: ['åben-1', 'åben-2', 'åben-3'],
    })
    await post(admin, `/users/${user.id}/edit`, { ...was, name: 'Bo Bang', numbers: [], was })
    expect((await getUser(test.db, OFFICE, user.id)).numbers).toEqual(['åben-2', 'åben-3'])
  })

  it('a form sends the old values along', async () => {
    const user = await makeUser(test.db, { numbers: ['åben-4'] })
    const page = (await admin.visitor.get(`/users/${user.id}/edit`)).body
    const { name, email } = user
    const was = JSON.stringify(newValues(USER_FIELDS, { name, email, numbers: ['åben-4'] }))
    expect(page).toContain(`name="was" value="${was.replaceAll('"', '&quot;')}"`)
  })
})

describe('while a change waits for a lock', () => {
  it('a person who is deactivated while their change waits changes nothing', async () => {
    const bad = await enter(test, 'administrator')
    const victim = await makeUser(test.db, { role: 'auditor' })
    const goOn = await hold((trx) => deactivateUser(trx, NOBODY, bad.id))
    const doing = post(bad, `/users/${victim.id}/edit`, {
      ...victim,
      role: 'administrator',
      promote_administrator: '1',
    })
    await sleep(ENOUGH_TO_WAIT)
    await goOn()
    expect((await doing).statusCode).toBe(403)
    expect((await getUser(test.db, OFFICE, victim.id)).role).toBe('auditor')
  })

  it('an administrator who becomes the last one while a change waits cannot be deactivated', async () => {
    const [first, second] = [await enter(test, 'administrator'), await enter(test, 'administrator')]
    await sql`
      update users set role = 'employee' where role = 'administrator' and id not in (${first.id}, ${second.id})`.execute(
      test.db,
    )
    const { name, email } = await getUser(test.db, OFFICE, second.id)
    const goOn = await hold((trx) =>
      changeUser(trx, NOBODY, second.id, { name, email, role: 'employee', numbers: [] }),
    )
    const leaving = post(first, `/users/${first.id}/deactivate`)
    await sleep(ENOUGH_TO_WAIT)
    await goOn()
    expect((await leaving).statusCode).toBe(422)
    await sql`update users set role = 'administrator' where id = ${admin.id}`.execute(test.db)
  })

  it('a person who joins the office meanwhile is not added to a project', async () => {
    const user = await makeUser(test.db, { role: 'investor', numbers: ['vent-1'] })
    const project = await makeProject(test.db)
    const fields = { name: user.name, email: user.email, role: 'employee' as const, numbers: [] }
    const goOn = await hold((trx) => changeUser(trx, NOBODY, user.id, fields))
    const adding = post(admin, `/projects/${project.id}/edit`, {
      ...project,
      cvr: '',
      add_members: [user.id],
    })
    await sleep(ENOUGH_TO_WAIT)
    await goOn()
    expect((await adding).statusCode).toBe(422)
    expect(await listProjectsOf(test.db, user.id)).toEqual([])
  })

  it('changing a project and its members at the same time causes no deadlock', async () => {
    const users = await Promise.all([1, 2, 3].map((n) => makeUser(test.db, { numbers: [`vej-${n}`] })))
    const project = await makeProject(test.db)
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        ...users.map((user, index) =>
          post(admin, `/users/${user.id}/edit`, {
            ...user,
            numbers: [`vej-${index + 1}`],
            [round % 2 ? 'remove_projects' : 'add_projects']: [project.id],
          }),
        ),
        post(admin, `/projects/${project.id}/edit`, {
          ...project,
          cvr: '',
          name: `K/S Vej ${round}`,
          add_members: users.map(({ id }) => id),
        }),
      ])
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    }
  })

  it('a person who is deactivated meanwhile cannot use a password link', async () => {
    const user = await makeUser(test.db)
    const token = await addLinkToken(test.db, 'reset', user.id)
    const goOn = await hold((trx) => deactivateUser(trx, NOBODY, user.id))
    const stranger = new Visitor(test.app)
    const choosing = stranger.post(
      `/reset-password/${token}`,
      { password: 'en helt ny kode' },
      { script: true },
    )
    await sleep(ENOUGH_TO_WAIT)
    await goOn()
    expect((await choosing).statusCode).toBe(410)
    const { rows } = await sql`select from sessions where user_id = ${user.id}`.execute(test.db)
    expect(rows).toEqual([])
  })

  it('a person whose e-mail changes meanwhile gets no link at the old address', async () => {
    const user = await makeUser(test.db, { role: 'employee', email: 'gammel@adresse.dk' })
    const fields = { name: user.name, email: 'ny@adresse.dk', role: 'employee' as const, numbers: [] }
    const goOn = await hold((trx) => changeUser(trx, NOBODY, user.id, fields))
    await new Visitor(test.app).post('/forgot-password', { email: 'gammel@adresse.dk' }, { script: true })
    await sleep(2000) // the job starts and waits
    await goOn()
    await new Visitor(test.app).post('/forgot-password', { email: 'ny@adresse.dk' }, { script: true })
    const directory = join(test.config.dataDir, 'mail')
    const sent = async () => {
      const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.eml'))
      const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
      return texts.flatMap((text) => /^To: (.*@adresse\.dk)/m.exec(text)?.[1] ?? [])
    }
    await expect.poll(sent).toContain('ny@adresse.dk')
    expect(await sent()).not.toContain('gammel@adresse.dk')
  })
})

describe('a new file', () => {
  it('a page does not mark a file as read that was still being stored when the page was made', async () => {
    const investor = await enter(test, 'investor')
    const project = await makeProject(test.db, { members: [investor.id] })
    const { Budget: folder } = await foldersByName(test.db, project.id)
    await makeFile(test, folder!, { name: 'Før.pdf' })
    const blob = await receiveBlob(
      test.db,
      test.storage,
      Readable.from([Buffer.from('%PDF-1.7 sen')]),
      Infinity,
    )
    const goOn = await hold(async (trx) => {
      await sql`select from folders where id = ${folder!} for update`.execute(trx)
      const files = [{ name: 'Sen.pdf', blobId: blob.id }]
      await addFiles(trx, NOBODY, [{ owner: { project: project.id }, folderId: folder!, files }])
    })
    type Sections = { until: string; data: { id: number; files: { name: string; is_new: boolean }[] }[] }
    const read = async () =>
      (await investor.visitor.get(`/api/projects/${project.id}/folders`)).json() as Sections
    const { until } = await read()
    await goOn()
    await post(investor, `/projects/${project.id}/seen`, { until })
    const files = (await read()).data.find(({ id }) => id === folder)!.files
    expect(files.map(({ name, is_new: isNew }) => [name, isNew])).toContainEqual(['Sen.pdf', true])
  })

  it('a file whose row is locked can be opened, and does not block other pages', async () => {
    const investor = await enter(test, 'investor')
    const project = await makeProject(test.db, { members: [investor.id] })
    const file = await makeFile(test, (await foldersByName(test.db, project.id)).Budget!)
    const goOn = await hold((trx) => sql`select from files where id = ${file.id} for update`.execute(trx))
    const open = () => investor.visitor.get(fileUrls.open({ project: project.id }, file.path))
    const all = await Promise.all(Array.from({ length: 8 }, open))
    expect(new Set(all.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect((await investor.visitor.get('/profile')).statusCode).toBe(200)
    await goOn()
  })
})
