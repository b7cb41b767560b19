import { totalmem } from 'node:os'

/** Names the socket; nothing listens on the network. */
export const PORT = 5432

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: PORT,
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // A small office: no parallel query, no replication, and no use of /dev/shm, which containers keep small.
  // 10 for each process, and some for backups and for an administrator.
  max_connections: 30,
  autovacuum_worker_slots: 2,
  autovacuum_max_workers: 2,
  io_method: 'sync',
  max_parallel_workers_per_gather: 0,
  max_parallel_maintenance_workers: 0,
  max_logical_replication_workers: 0,
  max_wal_senders: 0,
  max_worker_processes: 2,
  dynamic_shared_memory_type: 'mmap',
  huge_pages: 'off',
  jit: 'off',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  timezone: 'UTC',
  log_checkpoints: 'off',
  // Logs errors without the row that caused them.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_line_prefix: '%m [%p] ',
  idle_in_transaction_session_timeout: '5min',
}

const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

/** The settings of a server that accepts so many connections. Without `isDurable` a power cut may cost the data. */
export const settingsFor = (connections: number, isDurable: boolean): Record<string, string | number> => ({
  ...SETTINGS,
  ...memorySettings(Math.min(totalmem(), process.constrainedMemory() || Infinity)),
  ...(!isDurable && NOT_DURABLE),
  max_connections: Math.max(SETTINGS.max_connections, connections),
})

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
