import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { run } from '../src/start.ts'
import { fillOffice, loginLines } from './office.ts'
import { isOurs, temporaryPath } from './throw-away.ts'

// One data directory per checkout, kept between restarts.
const checkout = createHash('sha256')
  .update(import.meta.filename)
  .digest('hex')
  .slice(0, 8)
const directory = temporaryPath('dev', checkout)
if (!isOurs(directory)) throw new Error(`${directory} belongs to somebody else.`)

await run(
  () =>
    readConfig({
      LOG_LEVEL: 'warn',
      SHUTDOWN_SECONDS: '0',
      DATA_DIR: join(directory, 'data'),
      ...process.env,
    }),
  { development: true, fill: fillOffice },
  ({ url, config }) => {
    console.log(`Ringbind (development) is running at ${url}, its data in ${config.dataDir}`)
    console.log(loginLines())
  },
)
