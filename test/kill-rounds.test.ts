import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshDirectory } from './directory.ts'
import { killRounds } from './kill-rounds.ts'
import { postgresOf } from './processes.ts'

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 3)

it(
  `keeps every acknowledged commit through ${ROUNDS} rounds of kill -9`,
  { timeout: 60_000 + ROUNDS * 20_000 },
  async () => {
    const base = await freshDirectory()
    chmodSync(base, 0o711)
    const dataDir = join(base, 'data')
    postgresOf(dataDir)
    const { faults, ...counts } = await killRounds(dataDir, ROUNDS)
    console.log('kill -9:', counts)
    expect(faults).toEqual([])
    expect(counts.documents).toBeGreaterThan(0)
    expect(counts.acts).toBeGreaterThan(0)
  },
)
