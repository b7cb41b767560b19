import { readConfig } from './config.ts'
import { run } from './start.ts'

await run(
  () => readConfig(process.env),
  {},
  ({ url }) => console.log(`Ringbind is running at ${url}`),
)
