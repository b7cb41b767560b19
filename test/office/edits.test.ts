import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from '../../src/base/time/dates.ts'
import { CLASHING } from '../../src/server/edits.ts'
import type { Clash } from '../../src/server/http/errors.ts'
import { receiveTemporaryFile } from '../../src/uploads/transport/temporary.db.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { freshApp, type TestApp } from '../app.ts'
import { enter, type Entered } from '../enter.ts'
import { foldersByName, makeFile, makeProject, makeUser } from '../make.ts'
import { dutyOf, expectPapers } from './papers-of-year.ts'

type Fields = Record<string, unknown>

/** A form that changes a row, as two people have it open. */
type EditingForm = {
  /** The address of the form. */
  action: string
  /** The page with the form; null if its page is a modal, which needs JavaScript. */
  page: string | null
  /** The opening values of a modal. */
  was?: Fields
  /** Fields that the form sends beside the changed one. */
  fields?: Fields
  field: string
  first: Fields
  second: Fields
  /** Both values, as the page shows them to the second person. */
  said: { theirs: string; mine: string }
  now: () => Promise<unknown>
}

let test: TestApp
let boss: Entered
let investor: Entered
let project: { id: number; number: string }
let folders: Record<string, number>

const TODAY = dayOf(new Date(), 'Europe/Copenhagen')

/** Reads one column of one row. */
async function read(table: string, column: string, id: number): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`
    select ${sql.ref(column)} as value from ${sql.table(table)} where id = ${id}`.execute(test.db)
  return rows[0]!.value
}

const nextId = async (table: string) =>
  (await sql<{ id: number }>`select max(id) as id from ${sql.table(table)}`.execute(test.db)).rows[0]!.id

const send = (url: string, fields: Fields) => boss.visitor.post(url, fields, { script: true })

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  boss = await enter(test, 'administrator', { name: 'Kirsten Overgaard' })
  investor = await enter(test, 'investor', { name: 'Bo Holm', numbers: ['5201'] })
  project = await makeProject(test.db, { number: '1024', name: 'K/S Før', members: [investor.id] })
  folders = await foldersByName(test.db, project.id)
})

const NAMES = {
  field: 'name',
  first: { name: 'Den førstes' },
  second: { name: 'Den andens' },
  said: { theirs: 'Den førstes', mine: 'Den andens' },
}

/** Every form that changes a row, by its route. */
const FORMS: Record<string, () => Promise<EditingForm>> = {
  'POST /projects/:project/edit': async () => ({
    action: urls.editProject(project.id),
    page: urls.editProject(project.id),
    fields: {
      number: '1024',
      cvr: '',
      status: 'active',
      year_ends: '12',
      held_from: '',
      sold_on: '',
      followed_from: '',
    },
    ...NAMES,
    now: () => read('projects', 'name', project.id),
  }),
  'POST /users/:user/edit': async () => {
    const { id, email } = await makeUser(test.db, { numbers: ['5301'] })
    return {
      action: urls.editUser(id),
      page: urls.editUser(id),
      fields: { email, role: 'investor', numbers: ['5301'] },
      ...NAMES,
      now: () => read('users', 'name', id),
    }
  },
  'POST /projects/:project/folders/:folder': async () => ({
    action: urls.folder(urls.projectFolders(project.id), folders.Budget!),
    page: `${urls.projectFolders(project.id)}?edit=${folders.Budget}`,
    ...NAMES,
    now: () => read('folders', 'name', folders.Budget!),
  }),
  'POST /settings/folders/:folder': async () => {
    const { rows } = await sql<{ id: number }>`
      select id from folders where project_id is null and user_id is null limit 1`.execute(test.db)
    const id = rows[0]!.id
    return {
      action: urls.folder(urls.templateFolders, id),
      page: `${urls.templateFolders}?edit=${id}`,
      ...NAMES,
      now: () => read('folders', 'name', id),
    }
  },
  'POST /settings/office': async () => ({
    action: urls.office,
    page: urls.office,
    ...NAMES,
    now: async () => (await sql<{ name: string }>`select name from office`.execute(test.db)).rows[0]!.name,
  }),
  'POST /settings/office/words': async () => ({
    action: urls.officeWords,
    page: urls.office,
    field: 'search_words',
    first: { search_words: 'Den, førstes' },
    second: { search_words: 'Den , andens\r\n\r\n' },
    said: { theirs: 'Den, førstes', mine: 'Den, andens' },
    now: async () => {
      const words = await test.db.selectFrom('search_words').select('word').orderBy('place').execute()
      return words.map(({ word }) => word).join(' ')
    },
  }),
  'POST /settings/obligations/:obligation': async () => {
    const rule = { due_rule: 'months', due_months: '6', reach: 'chosen', is_active: '1' }
    await send(urls.newObligation, { title: 'Før', ...rule })
    const id = await nextId('obligations')
    return {
      action: urls.editObligation(id),
      page: urls.editObligation(id),
      fields: rule,
      ...NAMES,
      field: 'title',
      first: { title: 'Den førstes' },
      second: { title: 'Den andens' },
      now: () => read('obligations', 'title', id),
    }
  },
  'POST /obligations/:duty/responsible': async () => {
    const [one, other] = [
      await makeUser(test.db, { role: 'employee', name: 'Ida Lund' }),
      await makeUser(test.db, { role: 'employee', name: 'Per Vang' }),
    ]
    await send(urls.newObligation, {
      title: 'Frist',
      due_rule: 'date',
      due_on: TODAY.split('-').toReversed().join('/'),
      reach: 'fitting',
      statuses: ['active'],
      is_active: '1',
    })
    const id = await nextId('duties')
    return {
      action: urls.dutyAct(id, 'responsible'),
      page: urls.yearList,
      field: 'responsible_id',
      first: { responsible_id: String(one.id) },
      second: { responsible_id: String(other.id) },
      said: { theirs: 'Ida Lund', mine: 'Per Vang' },
      now: async () =>
        (await read('duties', 'responsible_id', id)) === one.id ? 'Den førstes' : 'Den andens',
    }
  },
  'POST /settings/hooks/:hook/edit': async () => {
    const fields = { url: 'https://8.8.8.8/', events: ['file.added'] }
    await sql`
      insert into hooks (name, url, events, secret) values ('Før', ${fields.url}, array['file.added'], 'whsec_x')`.execute(
      test.db,
    )
    const id = await nextId('hooks')
    return {
      action: urls.editHook(id),
      page: urls.editHook(id),
      fields,
      ...NAMES,
      now: () => read('hooks', 'name', id),
    }
  },
  'POST /users/:user/access/:lending': () => lending(),
  'POST /profile/access/:lending': () => lending(),
  'POST /profile': async () => ({
    action: urls.profile,
    page: urls.profile,
    ...NAMES,
    now: () => read('users', 'name', boss.id),
  }),
  'POST /settings/sign-in': async () => ({
    // A box has two states, so two people who change it agree. Each keeps their own box.
    action: urls.signInRules,
    page: urls.signInRules,
    fields: { days: '14' },
    field: 'auditor',
    first: { auditor: '1' },
    second: { adviser: '1' },
    said: { theirs: '', mine: '' },
    now: async () =>
      (await sql<{ role: string }>`select role from factor_demands order by role`.execute(test.db)).rows
        .map(({ role }) => role)
        .join(),
  }),
  'POST /releases/:release/write': async () => {
    const id = await release()
    return {
      action: urls.releaseAct(id, 'write'),
      page: null, // shown where there is a mail server
      was: { message: '', is_for_everybody: false },
      ...NAMES,
      field: 'message',
      first: { message: 'Den førstes' },
      second: { message: 'Den andens' },
      now: () => read('releases', 'message', id),
    }
  },
  'POST /releases/:release/name': async () => {
    const id = await release()
    return {
      action: urls.releaseAct(id, 'name'),
      page: urls.release(id),
      ...NAMES,
      now: () => read('releases', 'name', id),
    }
  },
  'POST /releases/:release/plan': async () => {
    const id = await release()
    const at = (day: string) => ({ publish_day: day, publish_time: '09.00' })
    const year = Number(TODAY.slice(0, 4)) + 1
    return {
      action: urls.releaseAct(id, 'plan'),
      page: urls.release(id),
      field: 'publish_at',
      first: at(`01/06/${year}`),
      second: at(`02/06/${year}`),
      said: { theirs: '01/06', mine: '02/06' },
      now: async () =>
        ((await read('releases', 'publish_at', id)) as Date).getUTCDate() === 1
          ? 'Den førstes'
          : 'Den andens',
    }
  },
  'POST /obligations/:duty/excuse': async () => {
    const folder = folders.Årsrapport!
    const period = String(Number(TODAY.slice(0, 4)) - 1)
    await expectPapers(test.db, [folder], { rhythm: 'year', from: '2020', dueMonths: 6 }, TODAY)
    return {
      action: urls.dutyAct(await dutyOf(test.db, folder, period), 'excuse'),
      page: `${urls.yearList}?q=1024&rule=${encodeURIComponent('Årsrapport')}`,
      ...NAMES,
      field: 'excuse',
      first: { excuse: 'Den førstes' },
      second: { excuse: 'Den andens' },
      now: async () => {
        const { rows } = await sql<{ excuse: string }>`
          select excuse from duties where folder_id = ${folder} and period = ${period}`.execute(test.db)
        return rows[0]!.excuse
      },
    }
  },
  'POST /api/projects/:project/file/:file/rename': () => fileForm('rename'),
  'POST /api/users/:user/file/:file/rename': () => fileForm('rename'),
  'POST /api/projects/:project/file/:file/period': () => fileForm('period'),
  'POST /api/users/:user/file/:file/period': () => fileForm('period'),
}

async function lending(): Promise<EditingForm> {
  const { id: adviser } = await makeUser(test.db, { role: 'adviser' })
  await sql`
    insert into lendings (lender_id, adviser_id, is_everything, folder_names, with_own_files, gets_mails)
    values (${investor.id}, ${adviser}, true, '{}', false, false)`.execute(test.db)
  const id = await nextId('lendings')
  const home = urls.lendings(investor.id)
  return {
    action: urls.lending(home, id),
    page: urls.lending(home, id),
    fields: { what: 'everything' },
    field: 'until',
    first: { until: '31/12/2098' },
    second: { until: '31/12/2099' },
    said: { theirs: 'til og med 31/12/2098', mine: 'til og med 31/12/2099' },
    now: async () =>
      ((await read('lendings', 'until', id)) as Date).getUTCFullYear() === 2098
        ? 'Den førstes'
        : 'Den andens',
  }
}

/** Makes a draft whose mail has not left. */
async function release(): Promise<number> {
  const name = 'Budget (1024) 2024.pdf'
  const bytes = Readable.from([Buffer.from(`%PDF-1.7 ${Math.random()}`)])
  const { hash_name: data } = await receiveTemporaryFile(test, boss.id, name, bytes, 1e6)
  const files = { a: { name, data, mime: 'application/pdf' } }
  const saved = await send(urls.uploadTo(project.id, folders.Budget!), { files, publish: 'draft' })
  expect(saved.statusCode).toBe(200)
  return nextId('releases')
}

async function fileForm(act: 'rename' | 'period'): Promise<EditingForm> {
  const { id } = await makeFile(test, folders.Budget!, { name: 'Budget (1024) 2024.pdf' })
  const common = { action: fileUrls[act]({ project: project.id }, id), page: null }
  return act === 'rename'
    ? {
        ...common,
        was: { name: 'Budget (1024) 2024.pdf' },
        field: 'name',
        first: { name: 'Den førstes.pdf' },
        second: { name: 'Den andens.pdf' },
        said: { theirs: 'Den førstes.pdf', mine: 'Den andens.pdf' },
        now: async () => String(await read('files', 'name', id)).replace('.pdf', ''),
      }
    : {
        ...common,
        was: { period: '2024' },
        field: 'period',
        first: { period: '2022' },
        second: { period: '2023' },
        said: { theirs: '2022', mine: '2023' },
        now: async () => ((await read('files', 'period', id)) === '2022' ? 'Den førstes' : 'Den andens'),
      }
}

/** Why the other forms carry no values of their opening. `*` is anything. */
const OTHERS: [why: string, routes: string[]][] = [
  [
    'it adds something',
    [
      '/projects/new',
      '/users/new',
      '/settings/obligations/new',
      '/obligations/events',
      '/settings/hooks/new',
      '/projects/:project/folders',
      '/settings/folders',
      '/projects/:project/folders/:folder/sub-names',
      '/users/:user/access',
      '/profile/access',
      '/profile/tokens',
      '/search/saved',
      '/profile/calendar',
      '/setup',
    ],
  ],
  [
    'it sends files, and says by itself what its page showed',
    [
      '/api/temp/*',
      '/api/upload/*',
      '/api/uploads',
      '/upload',
      '/upload/split',
      '/users/upload',
      '/users/:user/upload',
      '/projects/:project/upload',
      '/projects/:project/uploads/folder/:folder',
      '/my-files',
      '/api/users/:user/files',
      '/api/projects/:project/folder/:folder/files',
      '/projects/:project/file/:file/replace',
      '/users/:user/file/:file/replace',
      '/settings/import',
    ],
  ],
  [
    'it is refused if somebody has done the same or the opposite before',
    [
      '/obligations/:duty/done',
      '/obligations/:duty/expect',
      '/obligations/:duty/reopen',
      '/obligations/:duty/withdraw',
      '/receipts/:receipt/accept',
      '/receipts/:receipt/refuse',
      '/receipts/:receipt/take-back',
      '/receipts/:receipt/teach',
      '/inbox/:item/*',
      '/releases/:release/publish',
      '/releases/:release/hold',
      '/releases/:release/discard',
      '/releases/:release/approve',
      '/releases/:release/reject',
      '/releases/:release/regret',
      '/releases/:release/regret-mails',
      '/releases/held/*',
      '/releases/asked/*',
      '/settings/import/:done/regret-invitations',
      '/users/invitations/:mailing/regret',
      '/releases/:release/remind',
      '/releases/:release/sample',
      '/releases/:release/recall',
      '/releases/:release/undo-recall',
      '/releases/:release/tell-openers',
      '/settings/import/sheets/:sheet',
      '/settings/import/sheets/:sheet/columns',
      '/settings/import/sheets/:sheet/discard',
      '/settings/import/:done/invite',
      '/settings/import/:done/undo',
      '/api/undo/:undo',
      '/settings/folders/expectations',
    ],
  ],
  [
    'it says which order, place or rows it was made for',
    [
      '/projects/:project/folders/:folder/*',
      '/settings/folders/:folder/*',
      '/users/invite',
      '/users/add-to-project',
      '/obligations/responsible',
      '/settings/import/followed',
      '/api/*/folder/:folder/update-order',
      '/api/*/folder/:folder/sort',
      '/api/*/file/:file',
      '/api/*/file/:file/move-up',
      '/api/*/file/:file/move-down',
      '/api/*/file/:file/restore',
      '/api/*/files/*',
      '/api/*/move-file',
      '/api/*/trash/:file',
      '/users/:user/report',
      '/settings/office/logo',
      '/settings/office/approval',
      '/settings/tokens/outside',
      '/settings/office/placing',
      '/*/version/:version/*',
      '/*/zip',
    ],
  ],
  [
    'it takes away, or does one thing',
    [
      '/settings/obligations/:obligation/remove',
      '/settings/receipt-layouts/:layout/remove',
      '/settings/hooks/:hook/*',
      '/users/:user/access/:lending/take-back',
      '/profile/access/:lending/take-back',
      '/search/saved/:search/remove',
      '/profile/tokens/:token/revoke',
      '/settings/tokens/:token/revoke',
      '/profile/calendar/end',
      '/settings/office/test-mail',
      '/users/:user/*',
      '/seen',
      '/my-files/seen',
      '/projects/:project/seen',
      '/api/fault',
      '/api/releases/reach',
      '/stop-viewing',
      '/stop-mails/:token',
      '/first-steps',
    ],
  ],
  [
    'it is a person’s own choice, with one value',
    [
      '/profile/mails',
      '/profile/warnings',
      '/profile/image',
      '/theme',
      '/profile/sessions/*',
      '/profile/password',
    ],
  ],
  [
    'it lets a person in, or proves who they are',
    [
      '/login',
      '/login/*',
      '/logout',
      '/prove',
      '/prove/*',
      '/forgot-password',
      '/reset-password/:token',
      '/reset-password/:token/again',
      '/invitation/*',
      '/api/passkey',
      '/api/profile/passkey',
      '/profile/second-factor/*',
      '/profile/link/:provider',
      '/profile/identities/:identity/unlink',
    ],
  ],
]

const matches = (pattern: string, url: string) =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.+')}$`).test(url)

describe('a form that changes a row', () => {
  it('every form that changes a row sends its opening values, or says why not', () => {
    const routes = test.app.routeRights.filter(({ method }) => method === 'POST')
    const unknown = routes.filter(
      ({ url }) =>
        !(`POST ${url}` in FORMS) &&
        !OTHERS.some(([, patterns]) => patterns.some((each) => matches(each, url))),
    )
    expect(unknown.map(({ url }) => url)).toEqual([])
    const gone = Object.keys(FORMS).filter((form) => !routes.some(({ url }) => `POST ${url}` === form))
    expect(gone).toEqual([])
  })

  it.each(Object.keys(FORMS))(
    'the second person to save is shown both values, and asked: %s',
    async (route) => {
      const form = await FORMS[route]!()
      const { action, field, said, fields = {} } = form
      const script = form.page === null
      const post = (more: Fields) => boss.visitor.post(action, { ...fields, ...more }, { script })
      const was =
        form.page === null ? form.was : hiddenIn((await boss.visitor.get(form.page)).body, action, 'was')
      const first = await post({ ...form.first, was })
      expect([first.statusCode, first.body]).toEqual([script ? 200 : 303, expect.anything()])
      const second = await post({ ...form.second, was })
      if (said.mine === '') {
        expect([second.statusCode, await form.now()]).toEqual([303, 'adviser,auditor'])
        return
      }
      expect([second.statusCode, await form.now()]).toEqual([409, 'Den førstes'])
      const seen = script ? second.json<{ clash: Clash }>().clash.now : hiddenIn(second.body, action, 'seen')
      const text = script ? JSON.stringify(second.json()) : shownIn(second.body)
      for (const part of [CLASHING, said.theirs, said.mine]) expect(text).toContain(part)
      // The page that comes back has what the person typed, and the opening values.
      if (!script) expect(hiddenIn(second.body, action, 'was')).toBe(was)
      if (!script) expect(second.body).toContain(`name="choose[${field}]"`)
      expect((await post({ ...form.second, was, seen })).statusCode).toBe(409)
      const theirs = await post({ ...form.second, was, seen, choose: { [field]: 'theirs' } })
      expect([theirs.statusCode, await form.now()]).toEqual([script ? 200 : 303, 'Den førstes'])
      const mine = await post({ ...form.second, was, seen, choose: { [field]: 'mine' } })
      expect([mine.statusCode, await form.now()]).toEqual([script ? 200 : 303, 'Den andens'])
    },
  )
})

/** Reads a hidden field of the form with an action. */
function hiddenIn(html: string, action: string, name: string): string {
  const form = html.split('<form').find((each) => each.includes(`action="${action}"`))
  const [, value] = new RegExp(`name="${name}" value="([^"]*)"`).exec(form ?? '') ?? []
  if (value === undefined) throw new Error(`No ${name} in the form of ${action}`)
  return value.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&#x27;', "'")
}

/** The words of a page. */
const shownIn = (html: string) =>
  html
    .replaceAll(/<script[^]*?<\/script>/g, '')
    .replaceAll(/<!--.*?-->|<[^>]+>/g, '')
    .replaceAll('&#x27;', "'")
