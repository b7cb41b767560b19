import { readConfig } from '../../src/config.ts'
import { run } from '../../src/start.ts'
import { openThrowAway } from '../../demo/throw-away.ts'

// The pages as `npm run dev` serves them, on data of their own.
const directory = await openThrowAway('dev-test')
try {
  await run(
    () => readConfig({ LOG_LEVEL: 'warn', SHUTDOWN_SECONDS: '0', ...process.env, DATA_DIR: directory.path }),
    { demo: true, development: true },
    ({ url }) => console.log(`Ringbind is running at ${url}`),
  )
} finally {
  directory.remove()
}
