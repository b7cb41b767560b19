import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { PROJECT } from './server/process/project-directory.ts'

// The program of `npm start`. Does only what is needed to check the build, then loads the build.

try {
  const dist = new URL('dist/', PROJECT)
  // First of all, since it also caches the sources without their types.
  enableCompileCache(fileURLToPath(new URL('compiled/', dist)))
  const { ensureBuild, readBuild } = await import('./server/process/build.ts')
  const { RINGBIND_WORKER: worker, RINGBIND_BUILD: build } = process.env
  if (!worker)
    await ensureBuild(async (message) => {
      const { readConfig } = await import('./config.ts')
      readConfig(process.env) // a wrong setting fails at once, before a build
      process.stderr.write(`${message}\n`)
    })
  else if (build !== readBuild())
    throw new Error(`Worker ${worker} cannot start: Ringbind was changed on the disk. Start all of it again.`)
  const { serve } = (await import(new URL('server/serve.js', dist).href)) as typeof import('./serve.ts')
  await serve()
} catch (error) {
  process.exitCode = 1
  console.error((error as Error).message)
}
