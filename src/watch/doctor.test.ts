import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asSuperuser, freshDatabase } from '../../test/database.ts'
import { freshDirectory } from '../../test/directory.ts'
import { GOOD_COPIES, goodFacts } from '../../test/office/good-facts.ts'
import { makeUser } from '../../test/make.ts'
import { ROOT, shareCompiled } from '../../test/start/processes.ts'
import { readConfig, shownSettings } from '../config.ts'
import { GAPS } from '../log/chain/protection.ts'
import { KEY_FILE, Vault } from '../server/process/vault.ts'
import { entries } from '../settings.ts'
import { findTroubles } from './attention.ts'
import { examineSettings } from './doctor.server.ts'
import { factLines, gapLine, troubleLine } from './english.ts'
import { COPY_FAULTS } from './facts.ts'
import { wordsOf } from './trouble-words.ts'

const SECRET = 'hemmeligt0123456789'

/** Every setting and variable that may hold a secret. */
const SECRETS = {
  DATABASE_URL: `postgres://kontor:${SECRET}@127.0.0.1:1/ringbind?password=${SECRET}`,
  DATABASE_OWNER_URL: `postgres://ejer:${SECRET}@127.0.0.1:1/ringbind`,
  SMTP_URL: `smtp://post:${SECRET}@127.0.0.1:1`,
  METRICS_TOKEN: SECRET,
  AWS_ACCESS_KEY_ID: SECRET,
  AWS_SECRET_ACCESS_KEY: SECRET,
  OIDC_PROVIDERS: 'mitid',
  OIDC_MITID_ISSUER: 'https://login.example',
  OIDC_MITID_CLIENT_ID: SECRET,
  OIDC_MITID_CLIENT_SECRET: SECRET,
  OIDC_MITID_NAME: 'MitID',
}

describe('the settings', () => {
  it('settings are shown without secrets', () => {
    const shown = shownSettings({ ...SECRETS, PORT: '8080', HOST: '127.0.0.1', TIME_ZONE: '' })
    expect(shown).toEqual([
      'PORT=8080',
      'DATABASE_URL=postgres://127.0.0.1:1/ringbind',
      'DATABASE_OWNER_URL=postgres://127.0.0.1:1/ringbind',
      'SMTP_URL=smtp://127.0.0.1:1',
      'OIDC_PROVIDERS=mitid',
      'METRICS_TOKEN is set',
      'OIDC_MITID_ISSUER=https://login.example',
    ])
  })

  it('an unreadable address in the settings is not shown', () => {
    expect(shownSettings({ SMTP_URL: `smtp://post:${SECRET}@` })).toEqual(['SMTP_URL=…'])
  })

  it('a wrong secret is described by its format, and not shown', () => {
    expect(() => readConfig({ METRICS_TOKEN: `${SECRET} med mellemrum` })).toThrow(
      'METRICS_TOKEN takes at least 16 letters and digits; it is something else.',
    )
  })

  it('settings that sound like secrets are marked as such', () => {
    const unmarked = Object.values(entries).filter(
      ({ variable, isSecret }) => /TOKEN|SECRET|PASSWORD|_KEY/.test(variable) && !isSecret,
    )
    expect(unmarked.map(({ variable }) => variable)).toEqual([])
  })
})

describe('examining the settings', () => {
  it('tries the mail server, and reports backups on the disk of the data and http', async () => {
    const dataDir = await freshDirectory()
    const env = { DATA_DIR: dataDir, BACKUP_DIR: join(dataDir), APP_URL: 'http://ringbind.example' }
    const { wrong, advice } = await examineSettings(readConfig({ ...env, SMTP_URL: SECRETS.SMTP_URL }))
    expect(wrong).toEqual([
      expect.stringMatching(/^The mail server in SMTP_URL is no use: unreachable, .*ECONNREFUSED/),
    ])
    expect(advice).toEqual(
      expect.arrayContaining([
        expect.stringContaining('The copies are on the disk of the data'),
        expect.stringContaining('APP_URL is not https'),
      ]),
    )
  })

  it('finds no fault with a mail server that answers', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).write('220 mail.example ESMTP\r\n')
      socket.on('data', (data) => socket.write(/^QUIT/i.test(String(data)) ? '221 bye\r\n' : '250 ok\r\n'))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { wrong } = await examineSettings(
      readConfig({ DATA_DIR: await freshDirectory(), SMTP_URL: `smtp://127.0.0.1:${port}?ignoreTLS=true` }),
    )
    expect(wrong).toEqual([])
  })
})

it('writes whole English sentences', () => {
  const bad = {
    ...goodFacts,
    copies: {
      ...GOOD_COPIES,
      newest: null,
      ahead: ['ringbind-20271117T020000Z.tar'],
      failed: { at: goodFacts.now, reason: 'no-room' as const },
    },
    disk: { free: 1, total: 100, isBelowReserve: true },
    mails: { failed: 2, failingSince: '2026-11-17T08:00:00.000Z' },
    certificate: { host: 'ringbind.example', endsAt: goodFacts.now },
    store: { code: 'EIO' },
    bucket: { name: 'papers', answers: false },
    jobs: [{ name: 'house-keeping', waiting: 1, failed: 1, isFailing: true }],
    hasMailServer: false,
  }
  const lines = [...findTroubles(bad).map(troubleLine), ...GAPS.map(gapLine)]
  expect(lines).toHaveLength(10 + GAPS.length)
  for (const line of lines) expect(line).toMatch(/^[A-Z].*[.]$/)
  expect(factLines(bad).join('\n')).not.toMatch(/undefined|NaN|object/)
  expect(factLines({ ...bad, disk: 'unknown' })).toContain('disk: unknown')
})

it.each(COPY_FAULTS.filter((fault) => /no-|not-/.test(fault)))(
  'names the setting of the place that failed: %s',
  (reason) => {
    const isSecond = reason.startsWith('second-')
    const line = troubleLine({ kind: 'copy-failed', at: goodFacts.now, reason })
    expect([line.includes('BACKUP_SECOND'), line.includes('BACKUP_DIR')]).toEqual([isSecond, !isSecond])
    const { todo } = wordsOf(
      { kind: 'copy-failed', at: goodFacts.now, reason },
      { now: goodFacts.now, timeZone: 'UTC' },
    )
    expect([todo.includes('BACKUP_SECOND'), todo.includes('BACKUP_DIR')]).toEqual([isSecond, !isSecond])
  },
)

/** Runs the command with settings. */
async function runDoctor(env: Record<string, string>): Promise<{ status: number; output: string }> {
  const child = spawn(process.execPath, ['scripts/doctor.ts'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...shareCompiled(), ...env },
  })
  const [output] = await Promise.all([text(child.stderr), text(child.stdout), once(child, 'exit')])
  return { status: child.exitCode ?? -1, output }
}

it('the doctor command reports what is wrong, and no secrets', async () => {
  const { connection, db } = await freshDatabase()
  const DATABASE_URL = `postgres://ringbind:${SECRET}@${encodeURIComponent(connection.host!)}/${connection.database}`
  const DATA_DIR = await freshDirectory()
  const there = await runDoctor({ ...SECRETS, DATA_DIR, DATABASE_URL })
  expect(there.output).toMatch(/database: PostgreSQL \d+/)
  expect(there.output).toContain('log: protected from being changed')
  expect(there.output).toContain('No copies are made. Set BACKUP_DIR')
  expect(there.output).toContain('The mail server in SMTP_URL is no use')
  expect(there.status).toBe(2)
  await asSuperuser(`alter table log owner to ringbind`, connection.database)
  const { id } = await makeUser(db)
  const sealed = new Vault(Buffer.alloc(32, 1)).seal(Buffer.alloc(20), '')
  await db.insertInto('code_apps').values({ user_id: id, secret: sealed, last_step: 0 }).execute()
  const open = await runDoctor({ DATA_DIR, DATABASE_URL })
  expect(open.output).toMatch(/Wrong:[^]*The codes of 1 people's apps cannot be checked/)
  expect(readdirSync(DATA_DIR)).not.toContain(KEY_FILE)
  expect(open.output).toContain('log: not protected from being changed')
  expect(open.output).toMatch(/Advice:[^]*The log can be changed by the role that serves: it owns the log/)
  const owned = await runDoctor({ DATA_DIR, DATABASE_URL, DATABASE_OWNER_URL: DATABASE_URL })
  expect(owned.output).toMatch(/Wrong:[^]*The log can be changed by the role that serves: it owns the log/)
  const away = await runDoctor({ ...SECRETS, DATA_DIR })
  expect(away.output).toContain('The database cannot be used')
  expect(away.output).toContain('Settings that are not the default')
  expect(away.status).toBe(1)
  expect(there.output + away.output).not.toContain(SECRET)
})
