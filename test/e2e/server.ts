import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { fillOffice } from '../../demo/office.ts'
import { openThrowAway } from '../../demo/throw-away.ts'
import { inviteUser } from '../../src/accounts/links/link-mail.db.ts'
import { addLinkToken } from '../../src/accounts/links/link-tokens.db.ts'
import type { Parts } from '../../src/server/parts.ts'
import { buildApp } from '../../src/app.ts'
import { readConfig, type Config } from '../../src/config.ts'
import { startBuiltInPostgres } from '../../src/server/database/built-in-postgres.ts'
import { whenOrphaned } from '../../src/server/process/when-orphaned.ts'
import { startRingbind, type Mode, type Ringbind } from '../../src/start.ts'
import type { CheckedSheet } from '../../src/moving/sheet/read/checked-sheet.ts'
import { keepSheet } from '../../src/moving/sheet/sheets.db.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { bytesOf, HONEST, HOSTILE } from '../files/hostile.ts'
import { foldersByName, makeFile, makeProject, makeUser, makeUserFolder, NOBODY } from '../make.ts'
import { settingsOf, startProvider } from '../neighbours/oidc-provider.ts'
import { address, factsFile, PORTS, SERVER_LOG, type Facts } from './facts.ts'
import { startMaker } from './maker-server.ts'

// Starts all Ringbinds of the browser tests, in one process and on one PostgreSQL: an office with the demo's people, its
// pages from source (`development`), and some that are empty. Those that only long tests ask start only for them.
const isLong = process.env.TESTS === 'long'
const facts: Omit<Facts, 'dataDir' | 'setupLink'> = {
  resetToken: '',
  projects: {},
  people: {},
  folderOf1134: 0,
  testFiles: {},
  submission: '',
  releases: {},
  papers: {},
  sheet: 0,
  receipt: 0,
}

async function fill(parts: Parts): Promise<void> {
  Object.assign(facts, await fillOffice(parts))
  const { rows: releases } = await sql<{ id: number; state: string }>`select id, state from releases`.execute(
    parts.db,
  )
  facts.releases = Object.fromEntries(releases.map(({ id, state }) => [state, id]))
  facts.folderOf1134 = Object.values(await foldersByName(parts.db, facts.projects['1134']!))[0]!
  facts.papers = await findPapers(parts)
  for (const name of ['med', 'uden', 'mitid']) {
    const email = `inviteret.${name}@ringbind.example`
    const user = await makeUser(parts.db, { name: 'Inger Inviteret', email, passwordHash: null })
    await parts.db.transaction().execute((trx) => inviteUser(trx, parts.jobs, NOBODY, user))
  }
  const { id } = await makeUser(parts.db, { name: 'Gerda Glemsom', email: 'glemsom@ringbind.example' })
  facts.resetToken = await addLinkToken(parts.db, 'reset', id)
  // In an investor's own folder, because the office opens files from investors, and no other test counts its files.
  const folder = await makeUserFolder(parts.db, id)
  for (const [key, file] of Object.entries({ ...HOSTILE, ...HONEST })) {
    const { path } = await makeFile(parts, folder, { name: file.name, bytes: bytesOf(file) })
    facts.testFiles[key] = fileUrls.open({ user: id }, path)
  }
  const { id: careful } = await makeUser(parts.db, { name: 'Tora Totrin', email: 'totrin@ringbind.example' })
  await parts.db
    .insertInto('code_apps')
    .values({ user_id: careful, secret: Buffer.alloc(20, 7), last_step: 0 })
    .execute()
  await makeResult(parts, folder)
  facts.releases.waiting = await makeWaiting(parts, folder)
  facts.sheet = await makeSheet(parts)
  facts.receipt = await makeReceipt(parts)
}

/** Lets a paper look like a receipt. */
async function makeReceipt({ db }: Parts): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into receipts (sha256)
    select blobs.sha256 from files join blobs on blobs.id = files.blob_id order by files.id limit 1
    on conflict (sha256) do update set is_refused = false returning id`.execute(db)
  return rows[0]!.id
}

/** Lets a sheet wait that has a row of each kind. */
function makeSheet({ db }: Parts): Promise<number> {
  const checked: CheckedSheet = {
    tables: { projects: { name: 'Projekter', letters: { number: 'A', name: 'B' } } },
    projects: [
      { row: 2, number: '3001', name: 'K/S Vestermarken', faults: [] },
      { row: 3, number: '1024', name: 'K/S Nordhavn Kontorhus II', faults: [] },
      { row: 4, number: '1042', faults: [] },
      { row: 5, number: '3001', faults: [{ field: 'cvr', text: 'CVR-nummeret er ikke gyldigt.' }] },
    ],
    people: [],
    faults: [],
    notes: ['Projekter: Ringbind bruger ikke kolonnen Telefon.'],
  }
  return keepSheet(db, facts.people.administrator!, 'Projekter.xlsx', checked)
}

/** Finds a paper of 2025 that is there, and one that is missing. Returns their addresses. */
async function findPapers({ db }: Parts): Promise<Record<string, string>> {
  const { rows } = await sql<{ folder_id: number; period: string; is_there: boolean }>`
    select distinct on (is_by_paper) folder_id, period, is_by_paper as is_there from duties
    where period between '2025' and '2025-Q4' and folder_id is not null and (is_by_paper or done_at is null and not is_drafted)
    order by is_by_paper, folder_id, period`.execute(db)
  return Object.fromEntries(
    rows.map(({ folder_id: folder, period, is_there: isThere }) => [
      isThere ? 'there' : 'missing',
      urls.paper(folder, period),
    ]),
  )
}

/** Makes a release that an administrator asks colleagues to approve. */
async function makeWaiting(parts: Parts, folder: number): Promise<number> {
  const { id } = await makeFile(parts, folder, { name: 'Årsopgørelse 2025.pdf' })
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into submissions (user_id, key, content)
      select id, 'venter', '' from users where email = 'administrator@ringbind.example' returning id, user_id
    ), held as (
      update files set submission_id = made.id, is_held_back = true from made where files.id = ${id}
    )
    insert into releases (submission_id, made_by, state, asked_at)
    select id, user_id, 'waiting', now() from made returning id`.execute(parts.db)
  return rows[0]!.id
}

async function fillFourEyes({ db, storage }: Parts): Promise<void> {
  for (const name of ['Mette Mikkelsen', 'Karl Kristensen'])
    await makeUser(db, {
      name,
      email: `${name.split(' ')[0]!.toLowerCase()}@ringbind.example`,
      role: 'employee',
    })
  const members = []
  for (const name of ['Ida Investor', 'Jens Investor']) {
    const email = `${name.split(' ')[0]!.toLowerCase()}@investor.example`
    members.push((await makeUser(db, { name, email })).id)
  }
  await makeProject(db, { number: '4711', name: 'K/S Fire Øjne', members })
  const other = await makeProject(db, { number: '4713', name: 'K/S Andre Øjne' })
  await makeFile({ db, storage }, (await foldersByName(db, other.id)).Budget!, { name: 'Budget 2028.pdf' })
  await db.insertInto('office').values({ needs_approval: true, places_sure: true, saved_by: null }).execute()
}

/** An administrator, 30 investors who never came, and others whom an invitation is not for. */
async function fillMailing({ db }: Parts): Promise<void> {
  await makeUser(db, { name: 'Inge Inviterer', email: 'inge@ringbind.example', role: 'administrator' })
  await makeUser(db, { name: 'Asger Administrator', role: 'administrator', passwordHash: null })
  await makeUser(db, { name: 'Ib Investor' })
  for (let at = 10; at < 40; at++) await makeUser(db, { name: `Ny Investor ${at}`, passwordHash: null })
  await makeProject(db, { number: '4712', name: 'K/S Mange' })
}

/** One person for each test of the second factor. */
async function fillPasskeys({ db }: Parts): Promise<void> {
  await makeUser(db, { name: 'Adam Administrator', email: 'adam@ringbind.example', role: 'administrator' })
  await makeUser(db, { name: 'Rie Revisor', email: 'rie@ringbind.example', role: 'auditor' })
  for (const name of ['Nora', 'Anders', 'Mia', 'Ulla'])
    await makeUser(db, { name: `${name} Investor`, email: `${name.toLowerCase()}@ringbind.example` })
}

/** Makes a submission as if an employee had just uploaded some of the existing files. */
async function makeResult({ db }: Parts, folder: number): Promise<void> {
  facts.submission = 'vist-i-en-test'
  await sql`
    with made as (
      insert into submissions (user_id, key, content)
      select id, ${facts.submission}, '' from users where email = 'medarbejder@ringbind.example' returning id
    )
    update files set submission_id = made.id from made
    where files.id in (
      (select id from files where folder_id = ${facts.folderOf1134} and deleted_at is null limit 3) union all
      (select id from files where folder_id = ${folder} limit 2)
    )`.execute(db)
}

// The log goes to standard error; tests read it from a file too.
mkdirSync('test-results', { recursive: true })
const logFile = createWriteStream(SERVER_LOG)
const write = process.stderr.write.bind(process.stderr)
process.stderr.write = (chunk: Uint8Array | string, ...more: []) => {
  logFile.write(chunk)
  return write(chunk, ...more)
}

const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  whenOrphaned(resolve)
})
await using started = new AsyncDisposableStack()
const directory = await openThrowAway('e2e')
started.defer(() => directory.remove())
const postgres = await startBuiltInPostgres(join(directory.path, 'postgres'), {
  mayCreate: () => true,
  connections: 100,
  isDurable: false,
  say: () => undefined,
})
started.defer(() => postgres.stop())

async function start(
  name: keyof typeof PORTS,
  mode: Mode,
  settings: Record<string, string> = {},
): Promise<Ringbind> {
  const socket = postgres.connection.host!
  const admin = new Client({ host: socket, user: 'postgres', database: 'postgres' })
  await admin.connect()
  await admin.query(`create database "${name}" owner ringbind`)
  await admin.end()
  const config = readConfig({
    LOG_LEVEL: 'warn',
    SHUTDOWN_SECONDS: '0',
    THUMBNAILS: 'false', // of hundreds of files, while the tests need the processor
    READ_DOCUMENTS: 'false',
    HOOK_NETWORKS: '127.0.0.0/8', // a test is the other program
    ...process.env,
    ...settings,
    PORT: String(PORTS[name]),
    DATA_DIR: join(directory.path, name),
    DATABASE_URL: `postgres://ringbind@localhost/${name}?host=${encodeURIComponent(socket)}`,
  })
  const ringbind = started.use(await startRingbind(config, mode))
  writeFacts(config, ringbind.setupLink)
  return ringbind
}

function writeFacts({ port, dataDir }: Pick<Config, 'port' | 'dataDir'>, setupLink: string | null): void {
  writeFileSync(factsFile(port), JSON.stringify({ ...facts, dataDir, setupLink }))
}

// Looking for jobs costs the tests processor time: these wait for no mail, or for one.
await start('empty', { jobsEverySeconds: 60 })
await start('fresh', { jobsEverySeconds: 6 })
const atName = { APP_URL: `http://localhost:${PORTS.passkeys}`, HOST: '127.0.0.1' }
startMaker(await start('passkeys', { fill: fillPasskeys, jobsEverySeconds: 6 }, atName), PORTS.passkeys)
if (isLong) {
  for (const name of ['emptyWithScript', 'emptyWithoutScript'] as const)
    await start(name, { jobsEverySeconds: 60 })
  startMaker(await start('fourEyes', { fill: fillFourEyes }, { RELEASE_REGRET_MINUTES: '0' }), PORTS.fourEyes)
  const mailing = { fill: fillMailing, jobsEverySeconds: 60 }
  await start('mailing', mailing, { SMTP_URL: 'smtp://127.0.0.1:1' })
}
const provider = await startProvider([`${address(PORTS.office)}/login/with/mitid/answer`], PORTS.provider)
started.defer(() => provider.stop())
const office = await start(
  'office',
  { demo: true, fill },
  {
    OIDC_PROVIDERS: 'mitid',
    ...settingsOf('mitid', provider.issuer),
    OIDC_MITID_BUTTON: 'Brug MitID', // many tests look for 'Log ind'
  },
)
if (isLong) {
  const fromSource = await buildApp({ ...office, development: true })
  started.defer(() => fromSource.close())
  writeFacts({ port: PORTS.development, dataDir: office.config.dataDir }, null)
  await fromSource.listen({ port: PORTS.development, host: '127.0.0.1' })
}
// Listens last: the tests start when it answers.
startMaker(office, PORTS.office)
await stopped
