import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { run } from '../src/start.ts'

// One per checkout, kept between restarts.
const name = createHash('sha256')
  .update(import.meta.filename)
  .digest('hex')
  .slice(0, 8)

await run(
  () =>
    readConfig({
      LOG_LEVEL: 'warn',
      SHUTDOWN_SECONDS: '0',
      DATA_DIR: join(tmpdir(), `ringbind-dev-${process.geteuid?.() ?? 0}-${name}`),
      ...process.env,
    }),
  { demo: true, development: true },
  ({ url, config }) =>
    console.log(`Ringbind (development) is running at ${url}, its data in ${config.dataDir}`),
)
