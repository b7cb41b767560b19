import { expect, it } from 'vitest'
import { memorySettings } from './postgres-settings.ts'

it.each([
  // memory in MB, shared_buffers, work_mem, maintenance_work_mem, effective_cache_size
  [256, '32MB', '4MB', '32MB', '128MB'],
  [512, '32MB', '4MB', '32MB', '256MB'],
  [1024, '64MB', '4MB', '32MB', '512MB'],
  [2048, '128MB', '8MB', '64MB', '1024MB'],
  [4096, '128MB', '16MB', '128MB', '2048MB'],
  [8192, '128MB', '32MB', '256MB', '4096MB'],
  [65_536, '128MB', '32MB', '256MB', '32768MB'],
  [524_288, '128MB', '32MB', '256MB', '65536MB'],
])('a machine with %d MB gives PostgreSQL %s of buffers', (megabytes, buffers, work, maintenance, cache) => {
  expect(memorySettings(megabytes * 2 ** 20)).toEqual({
    shared_buffers: buffers,
    work_mem: work,
    maintenance_work_mem: maintenance,
    effective_cache_size: cache,
  })
})
