import { join } from 'node:path'
import { buildApp } from '../../src/app.ts'
import type { Parts } from '../../src/server/parts.ts'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/server/database/database.ts'
import { startJobs } from '../../src/server/work/jobs.ts'
import { openMailer } from '../../src/server/mail.ts'
import { findMailPicture } from '../../src/office/office.db.ts'
import { startWork } from '../../src/work.ts'
import { openStorage } from '../../src/server/storage/open-storage.ts'
import { openVault } from '../../src/server/process/vault.ts'
import { openSecret } from '../../src/server/database/secret.db.ts'

// The app in its own process, for tests that measure its memory and how long it is busy without a pause. The time is
// its own thread's time, not the clock's, so that a busy machine makes little difference. WATCHED_WORK=true has it do all
// background work too: reading, thumbnails, mails.

const connection = JSON.parse(process.env.WATCHED_CONNECTION!) as object
const config = readConfig(process.env)
const db = connect({ connection, onError: () => undefined })
const hasWork = process.env.WATCHED_WORK === 'true'
const jobs = await startJobs({
  db,
  timeZone: config.timeZone,
  onError: () => undefined,
  ...(!hasWork && { onlyAsks: true }),
})
const storage = await openStorage(config, config.dataDir)
const parts: Parts = {
  config,
  secret: await openSecret(db, 'signing'),
  vault: await openVault(config.secretsKey, config.dataDir),
  https: false,
  db,
  storage,
  bucket: null,
  jobs,
  development: false,
  demo: false,
}
const app = await buildApp(parts)
if (hasWork) {
  const mailer = openMailer({
    smtpUrl: null,
    from: config.mailFrom,
    directory: join(config.dataDir, 'mail'),
    findPicture: (name) => findMailPicture(db, name),
    log: app.log,
  })
  await startWork(parts, mailer, app.log)
}
await app.listen({ port: 0, host: '127.0.0.1' })

let longest = 0
let last = process.threadCpuUsage()
setInterval(() => {
  const { user, system } = process.threadCpuUsage(last)
  longest = Math.max(longest, (user + system) / 1000)
  last = process.threadCpuUsage()
}, 1)

process.on('message', () => {
  process.send!({ longest, ...process.memoryUsage() })
  longest = 0
})
process.once('disconnect', () => process.exit(0))
const address = app.server.address() as { port: number }
process.send!({ port: address.port, routes: app.routeRights.map(({ program: _program, ...route }) => route) })
