import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { readConfig } from './config.ts'
import { ensureBuild } from './server/build.ts'
import { PROJECT } from './server/project.ts'

// What `npm start` runs: as little as it takes to see that the build is right, and then the build.

try {
  readConfig(process.env) // before anybody waits for a build
  // A worker runs what its primary runs.
  if (!process.env.RINGBIND_WORKER) await ensureBuild((message) => process.stderr.write(`${message}\n`))
  const dist = new URL('dist/', PROJECT)
  enableCompileCache(fileURLToPath(new URL('compiled/', dist)))
  const { serve } = (await import(new URL('server/serve.js', dist).href)) as typeof import('./serve.ts')
  await serve()
} catch (error) {
  process.exitCode = 1
  console.error((error as Error).message)
}
