import { expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

/** Adds work that ends on request, and records what has begun. */
function worker(queue: FairQueue) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (name: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.set(name, resolve)
    return queue.run(name[0]!, () => {
      begun.push(name)
      return promise
    })
  }
  const end = async (name: string) => {
    ends.get(name)!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, add, end }
}

it('gives each key its turn, however much work one of them adds', async () => {
  const { begun, add, end } = worker(new FairQueue({ atOnce: 1 }))
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) void add(name)
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

it('limits the running work of one key, and runs that of others meanwhile', async () => {
  const { begun, add, end } = worker(new FairQueue({ each: 2 }))
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']) void add(name)
  await end('b1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'b3'])
  await end('a2')
  expect(begun.at(-1)).toBe('a3')
})

it('continues after work that fails', async () => {
  const queue = new FairQueue({ atOnce: 1 })
  const failed = queue.run('a', () => Promise.reject(new Error('broken')))
  const next = queue.run('a', () => Promise.resolve('done'))
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('done')
})

it('ends a turn once, however often it is released', async () => {
  const queue = new FairQueue({ atOnce: 1 })
  const leave = await queue.enter('a')
  leave()
  leave()
  const again = await queue.enter('a')
  let isIn = false
  void queue.enter('b').then(() => (isIn = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(isIn).toBe(false)
  again()
  await new Promise((resolve) => setImmediate(resolve))
  expect(isIn).toBe(true)
})

it('keys of one person take turns within the turns of that person', async () => {
  const queue = new FairQueue({ each: 1 })
  const begun: string[] = []
  const ends: (() => void)[] = []
  for (const [who, by] of ['a1', 'a1', 'a1', 'a2', 'b1', 'a3', 'a2'].map((text) => text.split('')))
    void queue.run({ who: who!, by: by! }, () => {
      begun.push(`${who}${by}`)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  for (let turn = 0; turn < 7; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    ends[turn]!()
  }
  expect(begun).toEqual(['a1', 'b1', 'a1', 'a2', 'a3', 'a1', 'a2'])
})
