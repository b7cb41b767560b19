/** Tells a worker when Ringbind was started. */
const STARTED_AT = 'RINGBIND_STARTED_AT'

/** Returns when Ringbind was started; a worker may have been started again since. */
export function startedAt(): Date {
  const told = Date.parse(process.env[STARTED_AT] ?? '')
  return new Date(Number.isNaN(told) ? Date.now() - process.uptime() * 1000 : told)
}

/** Returns the environment variable that tells a worker. */
export const startedAtEnv = () => ({ [STARTED_AT]: startedAt().toISOString() })
