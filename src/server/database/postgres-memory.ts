const MB = 2 ** 20

/**
 * Fits PostgreSQL to the memory of the machine, or of its container, which Ringbind itself and other programs use too.
 * Most of it is left to the system's file cache.
 */
export function memorySettings(bytes: number) {
  const part = (divisor: number, least: number, most: number) =>
    `${Math.min(Math.max(Math.floor(bytes / MB / divisor), least), most)}MB`
  return {
    // An office's database is small, and every MB costs 50 kB more even when nobody works.
    shared_buffers: part(16, 32, 128),
    // The next two are taken when a query needs them: the first by each sort of each connection, the second by one at a time.
    work_mem: part(256, 4, 32),
    maintenance_work_mem: part(32, 32, 256),
    // Takes nothing; it tells the planner how much is probably in memory already.
    effective_cache_size: part(2, 128, 64 * 1024),
  }
}
