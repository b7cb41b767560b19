import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inOrder } from './in-order.ts'

it('yields the results in the order of the items, and never runs more than the limit at once', async () => {
  let now = 0
  let most = 0
  const work = async (item: number) => {
    most = Math.max(most, ++now)
    await sleep(item % 2 === 0 ? 20 : 1)
    now--
    return item * 10
  }
  expect(await Array.fromAsync(inOrder([1, 2, 3, 4, 5], 3, work))).toEqual([10, 20, 30, 40, 50])
  expect(most).toBe(3)
})

it('throws at the item whose work fails', async () => {
  const got: number[] = []
  const all = async () => {
    const work = async (item: number) => (item === 2 ? Promise.reject(new Error('two')) : item)
    for await (const item of inOrder([1, 2, 3], 2, work)) got.push(item)
  }
  await expect(all()).rejects.toThrow('two')
  expect(got).toEqual([1])
})
