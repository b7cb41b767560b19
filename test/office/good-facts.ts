import type { CopyFacts, Facts } from '../../src/watch/facts.ts'

const NOW = '2026-11-17T12:00:00.000Z'

export const hoursBefore = (time: string, hours: number) =>
  new Date(Date.parse(time) - hours * 3_600_000).toISOString()

const ago = (hours: number) => hoursBefore(NOW, hours)

export const GOOD_COPIES: CopyFacts = {
  newest: ago(9),
  ahead: [],
  since: ago(900),
  failed: null,
  wasDue: ago(33),
  free: 1e12,
}

/** An installation with which all is well. */
export const goodFacts: Facts = {
  now: NOW,
  version: '1.0.0',
  startedAt: ago(50),
  isDemo: false,
  database: { version: '18.1', bytes: 1e8, connections: 12, mostConnections: 100 },
  logGaps: [],
  disk: { free: 50e9, total: 100e9, isBelowReserve: false },
  store: null,
  files: { count: 1200, bytes: 30e9 },
  bucket: null,
  mails: { failed: 0, failingSince: null },
  hasMailServer: true,
  jobs: [],
  copies: GOOD_COPIES,
  texts: { waiting: 0, scans: 0, failed: 0 },
  throttled: 0,
  scanner: null,
  certificate: null,
}
