import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshDirectory } from '../directory.ts'
import { postgresOf, startProcess, statusOf } from '../start/processes.ts'

it(
  'with a stuck PostgreSQL, Ringbind is not ready, answers 503, and can still stop',
  { timeout: 150_000 },
  async () => {
    const base = await freshDirectory()
    chmodSync(base, 0o711)
    const DATA_DIR = join(base, 'data')
    const postgres = postgresOf(DATA_DIR)
    const { child, url, ended } = startProcess({ DATA_DIR, SHUTDOWN_SECONDS: '1' })
    const address = await url
    for (const pid of postgres()) process.kill(pid, 'SIGSTOP')
    expect(await statusOf(`${address}/readyz`)).toBe(503)
    const page = await fetch(address, { headers: { cookie: 'session=x' } })
    expect(page.status).toBe(503)
    const began = Date.now()
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(Date.now() - began).toBeLessThan(75_000)
    expect(postgres()).toEqual([])
  },
)
