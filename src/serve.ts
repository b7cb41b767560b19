import { readConfig } from './config.ts'
import { workerNumber } from './server/process/primary-line.ts'
import { run } from './start.ts'
import { serveAsWorker } from './worker.ts'

/** Serves until told to stop. */
export async function serve(): Promise<void> {
  if (workerNumber() !== null) {
    await serveAsWorker(readConfig(process.env))
    process.exit() // the connection to the primary would keep the process alive
  }
  return run(
    () => readConfig(process.env),
    { built: true, withWorkers: true },
    ({ url, setupLink }) => {
      console.log(`Ringbind is running at ${url}`)
      if (setupLink) console.log(`Make the first administrator here, within a day: ${setupLink}`)
    },
  )
}
