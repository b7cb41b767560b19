import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  changeUser,
  deactivateUser,
  reactivateUser,
  resetFactors,
} from '../../src/accounts/change-user.db.ts'
import {
  CREDENTIALS,
  endRestoredCredentials,
  type Ending,
} from '../../src/accounts/session/end-credentials.db.ts'
import { addPasskey, makeRecoveryCodes, takeCodeAlone } from '../../src/accounts/factor/factors.db.ts'
import { findPasskey } from '../../src/accounts/factor/passkeys.db.ts'
import { signInByPasskey } from '../../src/accounts/factor/second-step.db.ts'
import { addAttempt, takeAttempt } from '../../src/accounts/oidc/attempts.db.ts'
import { linkIdentity, signInByIdentity } from '../../src/accounts/oidc/identities.db.ts'
import { hashPassword } from '../../src/accounts/passwords/password-hash.server.ts'
import { changePassword } from '../../src/accounts/profile/profile.db.ts'
import { findPasswordHash } from '../../src/accounts/users/users.db.ts'
import { addLinkToken } from '../../src/accounts/links/link-tokens.db.ts'
import type { User } from '../../src/accounts/users/user.ts'
import { lendAccess, listLendings } from '../../src/people/lend/lend.db.ts'
import type { Role } from '../../src/rights.ts'
import { urls } from '../../src/urls.ts'
import { makeFeed } from '../../src/year/calendar/calendar-feeds.db.ts'
import { freshApp, type TestApp } from '../app.ts'
import { countUp } from '../counter.ts'
import { enter, type Entered } from '../enter.ts'
import { makeProject, makeToken, makeUser, NOBODY, PASSWORD } from '../make.ts'
import { Visitor } from '../visitor.ts'

let test: TestApp
let admin: Entered
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '1000000' } })
})
beforeEach(async () => {
  admin = await enter(test, 'administrator')
})

/** Whether it works now. */
type Works = () => Promise<boolean>
/** Makes one on each call, for a person of a role. */
type Kind = { role?: Role; make: (person: User) => Promise<Works> }

const isOk = async (visitor: Visitor, address: string) => (await visitor.get(address)).statusCode === 200
const mail = { to: 'x@example.dk', subject: '', text: '', html: '' }
const news = { kind: 'app-added' as const, to: mail.to, compose: () => mail }
const change = (userId: number) => ({ actor: NOBODY, userId, session: '', jobs: test.jobs, news })
const PROVIDER = {
  key: 'mitid',
  name: 'MitID',
  issuer: 'https://id.example',
  clientId: 'x',
  clientSecret: 'x',
}
const browser = { address: null, device: '', oldToken: undefined }

async function signIn({ email }: User): Promise<Visitor> {
  const visitor = new Visitor(test.app)
  await visitor.signIn(email, PASSWORD)
  return visitor
}

/** A person without a second factor, so that a password alone signs in. */
const withoutFactors = async ({ id }: User) => {
  for (const table of ['code_apps', 'passkeys', 'recovery_codes'] as const)
    await test.db.deleteFrom(table).where('user_id', '=', id).execute()
}

async function addKey({ id }: User): Promise<string> {
  const credential = randomBytes(16)
  const passkey = { credential, publicKey: randomBytes(32), counter: 0, transports: [], name: 'Telefon' }
  await addPasskey(test.db, change(id), passkey)
  return credential.toString('base64url')
}

const lend = (lender: number, adviser: { name: string; email: string }) =>
  lendAccess(test.db, test, { userId: lender, address: null }, lender, adviser, {
    is_everything: true,
    folder_names: [],
    with_own_files: false,
    gets_mails: false,
    until: null,
  })

const KINDS: Record<Exclude<keyof typeof CREDENTIALS, 'lendings' | 'views'>, Kind> &
  Record<`lendings ${string}` | `views ${string}`, Kind> = {
  sessions: {
    make: async (person) => {
      const visitor = await signIn(person)
      return () => isOk(visitor, urls.profile)
    },
  },
  tokens: {
    make: async ({ id }) => {
      const authorization = `Bearer ${await makeToken(test, id)}`
      const ask = () => test.app.inject({ url: urls.listProjects, headers: { authorization } })
      return async () => (await ask()).statusCode === 200
    },
  },
  calendar_feeds: {
    make: async ({ id, role }) => {
      const secret = await makeFeed(test.db, { actor: NOBODY, reader: { id, role } }, true)
      return () => isOk(new Visitor(test.app), urls.calendar(secret))
    },
  },
  link_tokens: {
    make: async ({ id }) => {
      const token = await addLinkToken(test.db, 'reset', id)
      return () => isOk(new Visitor(test.app), urls.resetPassword(token))
    },
  },
  provider_attempts: {
    make: async ({ id }) => {
      const secret = await addAttempt(test.db, 'mitid', { purpose: 'invitation', userId: id })
      return async () => (await takeAttempt(test.db, 'mitid', secret)) !== null
    },
  },
  'views as the person': {
    make: async ({ id }) => {
      const { visitor } = await enter(test, 'administrator')
      await visitor.post(urls.viewAs(id))
      return async () => (await visitor.get(urls.start)).body.includes('Du ser Ringbind som')
    },
  },
  'lendings by the person': {
    role: 'investor',
    make: async ({ id }) => {
      const project = await makeProject(test.db, { members: [id] })
      const adviser = await makeUser(test.db, { role: 'adviser' })
      await lend(id, adviser)
      return async () => isOk(await signIn(adviser), urls.files(project.id))
    },
  },
  'lendings to the person': {
    role: 'adviser',
    make: async (person) => {
      const lender = await makeUser(test.db, { role: 'investor' })
      await lend(lender.id, person)
      return async () => (await listLendings(test.db, { lender: lender.id })).length > 0
    },
  },
  identities: {
    make: async (person) => {
      const proof = { issuer: PROVIDER.issuer, subject: `s${countUp()}`, provider: PROVIDER }
      await linkIdentity(test.db, { jobs: test.jobs, appUrl: '' }, NOBODY, person, proof as never)
      const from = { address: '192.0.2.1', person: null }
      const ask = () => signInByIdentity(test.db, browser, proof as never, from, () => Promise.resolve())
      return async () => 'session' in (await ask())
    },
  },
  passkeys: {
    make: async (person) => {
      const credential = await addKey(person)
      return async () => {
        const passkey = await findPasskey(test.db, credential)
        const answer = {
          challenge: `c${countUp()}`,
          counter: 0,
          from: { address: '192.0.2.1', person: null },
        }
        return passkey !== null && (await signInByPasskey(test.db, browser, passkey, answer)) !== null
      }
    },
  },
  code_apps: {
    make: async ({ id }) => {
      await withoutFactors({ id } as User)
      await sql`insert into code_apps (user_id, secret, last_step) values (${id}, 'hemmelig', 0)`.execute(
        test.db,
      )
      return async () =>
        (await test.db.selectFrom('code_apps').select('secret').where('user_id', '=', id).execute()).length >
        0
    },
  },
  recovery_codes: {
    make: async (person) => {
      await addKey(person)
      const [code] = await makeRecoveryCodes(test.db, change(person.id))
      return async () => (await takeCodeAlone(test.db, test.vault, person.id, code!)) !== null
    },
  },
  users: {
    make: (person) =>
      Promise.resolve(async () => {
        await withoutFactors(person)
        return isOk(await signIn(person), urls.profile)
      }),
  },
}

/**
 * What happens to a person. A changed role is changed back, so that a kind which their role forbids is not mistaken for
 * an ended one.
 */
const ENDINGS: Record<Ending | 'deactivated and reactivated', (person: User) => Promise<unknown>> = {
  async 'password-reset'({ id }) {
    const token = await addLinkToken(test.db, 'reset', id)
    const sent = { password: 'en helt ny kode 17' }
    const { statusCode } = await new Visitor(test.app).post(urls.resetPassword(token), sent, { script: true })
    expect(statusCode).toBe(200)
  },
  async 'password-changed'({ id }) {
    const hash = { old: await findPasswordHash(test.db, id), new: await hashPassword('en ny kode 17', 'x') }
    expect(await changePassword(test.db, test.jobs, NOBODY, id, hash, '', mail)).toBe(true)
  },
  'email-changed': (person) => edit({ ...person, email: `ny${countUp()}@example.dk` }),
  async 'role-changed'(person) {
    await edit({ ...person, role: 'auditor' })
    await edit(person)
  },
  async 'factors-reset'(person) {
    await addKey(person)
    await resetFactors(test.db, test.jobs, NOBODY, person.id, mail)
  },
  deactivated: ({ id }) => deactivateUser(test.db, { userId: admin.id, address: null }, id),
  // The state that an older version left: it ended less.
  async reactivated({ id }) {
    await sql`update users set deactivated_at = now() where id = ${id}`.execute(test.db)
    await reactivateUser(test.db, { userId: admin.id, address: null }, id)
  },
  async 'deactivated and reactivated'(person) {
    await ENDINGS.deactivated(person)
    await reactivateUser(test.db, { userId: admin.id, address: null }, person.id)
  },
  restored: () => endRestoredCredentials(test.db),
}

const edit = ({ id, name, email, role }: User) =>
  test.db
    .transaction()
    .execute((trx) =>
      changeUser(trx, { userId: admin.id, address: null }, id, { name, email, role, numbers: [] }),
    )

/** Whether this ends it, by the table of the code, or because the password or the factor is what changed. */
function isEnded(kind: string, ending: keyof typeof ENDINGS): boolean {
  if (ending === 'deactivated and reactivated') return true
  if (
    kind === 'users' &&
    ['password-reset', 'password-changed', 'email-changed', 'deactivated'].includes(ending)
  )
    return true
  if (['passkeys', 'code_apps', 'recovery_codes'].includes(kind) && ending === 'factors-reset') return true
  if (['identities', 'passkeys'].includes(kind) && ending === 'deactivated') return true
  // The administrator's session is over.
  if (kind.startsWith('views') && ending === 'restored') return true
  const { endedBy } = CREDENTIALS[kind.split(' ')[0] as keyof typeof CREDENTIALS]
  return (endedBy as readonly string[]).includes(ending)
}

describe('every kind of credential works, and ends with what ends it', () => {
  it.each(Object.keys(ENDINGS) as (keyof typeof ENDINGS)[])('%s', { timeout: 5 * 60_000 }, async (ending) => {
    const found: Record<string, boolean> = {}
    const expected: Record<string, boolean> = {}
    for (const [name, { role = 'employee', make }] of Object.entries(KINDS)) {
      const person = await makeUser(test.db, { role })
      expect([name, await (await make(person))()]).toEqual([name, true])
      const works = await make(person)
      await ENDINGS[ending](person)
      found[name] = await works()
      expected[name] = !isEnded(name, ending)
    }
    expect(found).toEqual(expected)
  })
})

describe('no kind is forgotten', () => {
  /** Tables that name people, or keep secrets or their hashes, and let nobody in. */
  const NONE: Record<string, string[]> = {
    'is asked for in a session alone': [
      'file_reads',
      'folders',
      'kept_piles',
      'lent_seen',
      'profile_images',
      'project_members',
      'reports',
      'saved_searches',
      'sheet_imports',
      'sheets',
      'submissions',
      'temporary_files',
      'undos',
      'user_numbers',
      'zip_selections',
    ],
    'says what happened': [
      'answered_challenges',
      'dead_links',
      'failed_mails',
      'guessed_accounts',
      'log',
      'log_chain',
    ],
    'says who gets a mail': ['duty_mails', 'inbox_people', 'recall_mails', 'release_people'],
    'is the installation’s': ['secrets'],
  }

  it('every table that names a person or stores a secret is listed as a credential or not', async () => {
    const { rows } = await sql<{ name: string; column: string }>`
      select conrelid::regclass::text as name, attname as column
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
      where contype = 'f' and confrelid = 'users'::regclass and attname !~ '(_by|responsible_id)$'
      union select table_name, column_name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and column_name ~ 'hash|secret|token|value'`.execute(
      test.db,
    )
    const kinds = Object.keys(CREDENTIALS).filter((kind) => kind !== 'users')
    const known = [...kinds, ...Object.values(NONE).flat()]
    expect([...new Set(rows.map(({ name }) => name))].toSorted()).toEqual(known.toSorted())
    for (const { name, column } of rows)
      if (kinds.includes(name) && column.endsWith('_id') && column !== 'session_id')
        expect(CREDENTIALS[name as keyof typeof CREDENTIALS].people).toContain(column)
  })

  it('every credential is in the table of SECURITY.md', async () => {
    const lines = (await readFile('SECURITY.md', 'utf8')).split('\n')
    const head = lines.find((line) => line.startsWith('| ended by |'))!
    const endings = head.split(' | ').slice(1, -1)
    expect(endings.toSorted()).toEqual(
      Object.keys(ENDINGS)
        .filter((ending) => !ending.includes(' '))
        .toSorted(),
    )
    for (const [kind, { endedBy }] of Object.entries(CREDENTIALS)) {
      const line = lines.find((each) => each.startsWith(`| \`${kind}\``))
      const marks = endings.map((ending) => ((endedBy as readonly string[]).includes(ending) ? 'ends' : '–'))
      expect(line?.split(' | ').slice(1, -1)).toEqual(marks)
    }
  })
})
