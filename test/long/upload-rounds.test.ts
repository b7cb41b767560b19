import { expect, it } from 'vitest'
import { postgresOf } from '../start/processes.ts'
import { startedDirectory } from '../start/started-directory.ts'
import { uploadRounds } from '../rounds/upload-rounds.ts'

const ROUNDS = Number(process.env.UPLOAD_ROUNDS ?? 1)
const SEED = Number(process.env.UPLOAD_SEED ?? Date.now() % 1_000_000_000)

it(
  `keeps every acknowledged upload and form, once, through ${ROUNDS} rounds of kill -9`,
  { timeout: 300_000 + ROUNDS * 14_000 },
  async () => {
    console.log(`uploads and kill -9: UPLOAD_SEED=${SEED}`)
    const dataDir = await startedDirectory()
    postgresOf(dataDir)
    const { faults, ...counts } = await uploadRounds(dataDir, ROUNDS, SEED)
    console.log('uploads and kill -9:', counts)
    expect(faults).toEqual([])
    expect(counts.rounds).toBe(ROUNDS)
    for (const count of [
      counts.uploads,
      counts.largeUploads,
      counts.kept,
      counts.acknowledged,
      counts.filesInspected,
    ])
      expect(count).toBeGreaterThan(0)
    if (ROUNDS < 20) return
    const { resumed, repeated, replaced, purged, unanswered } = counts
    for (const count of [resumed, repeated, replaced, purged, unanswered.absent, unanswered.whole])
      expect(count).toBeGreaterThan(0)
  },
)
