import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { readConfig } from './config.ts'
import { ensureBuild, readBuild } from './server/process/build.ts'
import { PROJECT } from './server/process/project-directory.ts'

// What `npm start` runs: as little as it takes to see that the build is right, and then the build.

try {
  readConfig(process.env) // before anybody waits for a build
  const { RINGBIND_WORKER: worker, RINGBIND_BUILD: build } = process.env
  if (!worker) await ensureBuild((message) => process.stderr.write(`${message}\n`))
  else if (build !== readBuild())
    throw new Error(`Worker ${worker} cannot start: Ringbind was changed on the disk. Start all of it again.`)
  const dist = new URL('dist/', PROJECT)
  enableCompileCache(fileURLToPath(new URL('compiled/', dist)))
  const { serve } = (await import(new URL('server/serve.js', dist).href)) as typeof import('./serve.ts')
  await serve()
} catch (error) {
  process.exitCode = 1
  console.error((error as Error).message)
}
