import { readConfig } from '../src/config.ts'
import { run } from '../src/start.ts'
import { urls } from '../src/urls.ts'
import { DEMO_CALENDAR } from './obligations.ts'
import { fillOffice, loginLines } from './office.ts'
import { writePile } from './pile.ts'
import { DEMO_TOKEN } from './tokens.ts'
import { openThrowAway } from './throw-away.ts'

const directory = await openThrowAway('demo')

function demoConfig() {
  const env = {
    LOG_LEVEL: 'warn',
    ...process.env,
    DATA_DIR: directory.path,
    DATABASE_URL: '',
    DATABASE_OWNER_URL: '',
    BACKUP_DIR: '',
  }
  const config = readConfig(env)
  // Browsers give passkeys to a host with a name, and to none that is a number.
  return config.appUrl === `http://127.0.0.1:${config.port}`
    ? readConfig({ ...env, APP_URL: `http://localhost:${config.port}` })
    : config
}

try {
  await run(demoConfig, { demo: true, fill: fillOffice }, ({ url, config }) => {
    const home = config.port === 0 ? url : config.appUrl
    console.log(`Ringbind's demo is running at ${home}`)
    console.log(loginLines())
    console.log(`Files to drop on the upload pages are in ${writePile(config.dataDir)}`)
    console.log(`The administrator's calendar is at ${home}${urls.calendar(DEMO_CALENDAR)}`)
    console.log(`An API key of the administrator is ${DEMO_TOKEN}`)
    console.log(`Mails are kept in ${config.dataDir}/mail`)
    console.log('Everything in it is thrown away when it stops (Ctrl-C).')
  })
} finally {
  directory.remove()
}
