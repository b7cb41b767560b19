import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { roomForImages, whyNoCuts } from '../rounds/cut-disk.ts'
import { powerCuts } from '../rounds/power-cuts.ts'
import { TIMES } from './times.ts'

const CUTS = 40 * TIMES
const SEED = Number(process.env.POWER_SEED ?? Date.now() % 1_000_000_000)

it(
  `${CUTS} power cuts damage no paper and lose nothing acknowledged`,
  { timeout: 120_000 + CUTS * 30_000 },
  async (context) => {
    const refusal = whyNoCuts()
    if (refusal) {
      console.warn(`SKIPPED: no power was cut, since a disk cannot be taken away here: ${refusal}`)
      context.skip(refusal)
    }
    console.log(`power cuts: POWER_SEED=${SEED}`)
    const directory = await mkdtemp(join(await roomForImages(), 'ringbind-cuts-'))
    await chmod(directory, 0o711) // PostgreSQL runs as another user
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const { faults, ...counts } = await powerCuts(directory, CUTS, SEED)
    console.log('power cuts:', { ...counts, faults: faults.length })
    expect(faults).toEqual([])
    expect(counts.cuts).toBe(CUTS)
    for (const count of [...Object.values(counts.acts), counts.resumedInABlock, counts.papersCompared])
      expect(count).toBeGreaterThan(0)
  },
)
