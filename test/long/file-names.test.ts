import { expect, it } from 'vitest'
import { chanceOf } from '../chance.ts'
import { anyFileName, faultsOfName } from '../formats/file-name-fuzz.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const NAMES = Number(process.env.FUZZ_NAMES ?? 120_000)

it(`S5.1 ${NAMES} random names break no promise`, { timeout: 300_000 }, () => {
  const chance = chanceOf(SEED)
  const faults: string[] = []
  let followed = 0
  for (let count = 0; count < NAMES; count++) {
    const name = anyFileName(chance)
    const found = faultsOfName(name, chance)
    if (found.length === 0) followed++
    faults.push(...found)
  }
  console.log(`file names, seed ${SEED}: ${NAMES} names, ${followed} without a fault`)
  expect(faults.slice(0, 10)).toEqual([])
})
