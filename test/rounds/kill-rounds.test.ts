import { expect, it } from 'vitest'
import { killRounds } from './kill-rounds.ts'
import { postgresOf } from '../start/processes.ts'
import { startedDirectory } from '../start/started-directory.ts'

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 1)

it(
  `keeps every acknowledged commit through ${ROUNDS} rounds of kill -9`,
  { timeout: 300_000 + ROUNDS * 20_000 },
  async () => {
    const dataDir = await startedDirectory()
    postgresOf(dataDir)
    const { faults, ...counts } = await killRounds(dataDir, ROUNDS)
    console.log('kill -9:', counts)
    expect(faults).toEqual([])
    expect(counts.documents).toBeGreaterThan(0)
    expect(counts.acts).toBeGreaterThan(0)
    expect(counts.changes).toBeGreaterThan(0)
    expect(counts.undone).toBeGreaterThan(0)
  },
)
