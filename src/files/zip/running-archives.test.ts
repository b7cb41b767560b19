import { expect, it } from 'vitest'
import { RunningArchives } from './running-archives.ts'

it('counts running archives for each person, in all, and by their files', () => {
  const running = new RunningArchives()
  const enter = (person: number, files = 1) => running.enter(person, files)
  const own = [1, 2, 3, 4].map(() => enter(7)!)
  expect(enter(7)).toBeNull()
  own[0]!()
  const again = enter(7)!
  expect([again === null, enter(7)]).toEqual([false, null])
  const others = Array.from({ length: 20 }, (_, person) => enter(100 + person))
  expect([others.includes(null), enter(200)]).toEqual([false, null])
  for (const leave of [...own.slice(1), again, ...others]) leave!()
  const large = [1, 2, 3].map((person) => enter(person, 100_000))
  expect([large.includes(null), enter(4)]).toEqual([false, null])
  large[0]!()
  expect(enter(4, 100_000)).not.toBeNull()
})
