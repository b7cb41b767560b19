import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeAll } from './write-all.ts'

const CHUNK = randomBytes(64 * 1024)
const COUNT = 1600
const MOST_LYING = 24 * 2 ** 20

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ringbind-write-'))
})
afterAll(() => rm(directory, { recursive: true }))

it('frees the buffers of a large file while it is being written', async () => {
  const file = join(directory, 'large')
  await using handle = await open(file, 'w')
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  async function* chunks() {
    for (let sent = 0; sent < COUNT; sent++) {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      const chunk = Buffer.allocUnsafeSlow(CHUNK.length) // a connection makes a new one for each chunk
      CHUNK.copy(chunk)
      yield chunk
    }
  }
  expect(await writeAll(handle, chunks(), 0)).toBe(COUNT * CHUNK.length)
  expect((await stat(file)).size).toBe(COUNT * CHUNK.length)
  expect(most).toBeLessThan(MOST_LYING)
})
