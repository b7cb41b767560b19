import { readConfig } from './config.ts'
import { run } from './start.ts'

/** Serves until it is told to stop. */
export function serve(): Promise<void> {
  return run(
    () => readConfig(process.env),
    { built: true },
    ({ url, setupLink }) => {
      console.log(`Ringbind is running at ${url}`)
      if (setupLink) console.log(`Make the first administrator here, within a day: ${setupLink}`)
    },
  )
}
