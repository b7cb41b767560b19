import { expect, it } from 'vitest'
import { breather } from './breather.ts'

/** Works without a pause, for longer than a turn lasts. */
function work(): void {
  const until = performance.now() + 10
  while (performance.now() < until);
}

it('one long task continues in each round of the event loop', async () => {
  let [inRound, most, done] = [0, 0, 0]
  const people = Array.from({ length: 5 }, async () => {
    const breathe = breather()
    work()
    for (let turn = 0; turn < 4; turn++) {
      await breathe()
      most = Math.max(most, ++inRound)
      work()
    }
    done++
  })
  const nextRound = () => {
    inRound = 0
    if (done < people.length) setImmediate(nextRound)
  }
  nextRound()
  await Promise.all(people)
  expect([most, done]).toEqual([1, 5])
})

it('a quick task does not wait', () => {
  expect(breather()()).toBeUndefined()
})
