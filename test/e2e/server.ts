import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { fillOffice } from '../../demo/office.ts'
import { openThrowAway } from '../../demo/throw-away.ts'
import { inviteUser } from '../../src/accounts/sign-in/link-mail.db.ts'
import { addLinkToken } from '../../src/accounts/sign-in/link-tokens.db.ts'
import type { Parts } from '../../src/server/parts.ts'
import { readConfig } from '../../src/config.ts'
import { run } from '../../src/start.ts'
import { fileUrls } from '../../src/urls.ts'
import { bytesOf, HONEST, HOSTILE } from '../files/hostile.ts'
import { foldersByName, makeFile, makeUser, makeUserFolder, NOBODY } from '../make.ts'
import { factsFile, serverLog, type Facts } from './facts.ts'
import { startMaker } from './maker.ts'

// Starts a Ringbind for the browser tests: `office` (the demo's people), `development` (the same from source) or `empty`.
const kind = process.argv[2]!
const facts: Facts = {
  dataDir: '',
  setupLink: null,
  resetToken: '',
  projects: {},
  people: {},
  folderOf1134: 0,
  testFiles: {},
  submission: '',
}

async function fill(parts: Parts): Promise<void> {
  Object.assign(facts, await fillOffice(parts))
  facts.folderOf1134 = Object.values(await foldersByName(parts.db, facts.projects['1134']!))[0]!
  for (const name of ['med', 'uden']) {
    const email = `inviteret.${name}@ringbind.example`
    const user = await makeUser(parts.db, { name: 'Inger Inviteret', email, passwordHash: null })
    await parts.db.transaction().execute((trx) => inviteUser(trx, parts.jobs, NOBODY, user))
  }
  const { id } = await makeUser(parts.db, { name: 'Gerda Glemsom', email: 'glemsom@ringbind.example' })
  facts.resetToken = await addLinkToken(parts.db, 'reset', id)
  // In an investor's own folder, because the office opens what investors send, and no other test counts its files.
  const folder = await makeUserFolder(parts.db, id)
  for (const [key, file] of Object.entries({ ...HOSTILE, ...HONEST })) {
    const { path } = await makeFile(parts, folder, { name: file.name, bytes: bytesOf(file) })
    facts.testFiles[key] = fileUrls.open({ user: id }, path)
  }
  await makeResult(parts, folder)
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
const logFile = createWriteStream(serverLog(Number(process.env.PORT)))
const write = process.stderr.write.bind(process.stderr)
process.stderr.write = (chunk: Uint8Array | string, ...more: []) => {
  logFile.write(chunk)
  return write(chunk, ...more)
}

const directory = await openThrowAway(`e2e-${kind}`)
facts.dataDir = directory.path
try {
  await run(
    () =>
      readConfig({
        LOG_LEVEL: 'warn',
        SHUTDOWN_SECONDS: '0',
        ...process.env,
        DATA_DIR: directory.path,
        DATABASE_URL: '',
      }),
    { demo: kind === 'office', development: kind === 'development', ...(kind !== 'empty' && { fill }) },
    (ringbind) => {
      const { setupLink, config } = ringbind
      if (kind === 'office') startMaker(ringbind, config.port)
      writeFileSync(factsFile(config.port), JSON.stringify({ ...facts, setupLink }))
    },
  )
} finally {
  directory.remove()
}
