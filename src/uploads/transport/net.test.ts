import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { whenReachable } from './net.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('asks less and less often whether the server is back, and acts once', async () => {
  const answers = [false, false, true, true]
  const asks = vi.fn(async () => answers.shift() ?? false)
  const act = vi.fn()
  whenReachable(act, asks)
  await vi.advanceTimersByTimeAsync(5000)
  expect(asks).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(5000)
  expect(asks).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(9999)
  expect(act).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(600_000)
  expect([asks.mock.calls.length, act.mock.calls.length]).toEqual([3, 1])
})

it('stops asking when cancelled', async () => {
  const act = vi.fn()
  whenReachable(act, async () => true)()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(act).not.toHaveBeenCalled()
})
