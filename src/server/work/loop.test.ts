import { expect, it, vi } from 'vitest'
import { startLoop, untilDone } from './loop.ts'

const stopping = new AbortController().signal

/** Starts a loop, and returns what has it look again. */
async function start(
  look: () => Promise<unknown>,
  { isAwaited = false, complain = (_error: unknown): void => undefined, signal = stopping } = {},
): Promise<() => Promise<void>> {
  const turns: (() => Promise<void>)[] = []
  const watch = async (turn: (stopping: AbortSignal) => Promise<void>) => {
    turns.push(() => turn(signal))
    await turn(signal)
  }
  await startLoop({ watch }, { isAwaited, complain }, look)
  return turns[0]!
}

it('a loop does not start again while its last run is going on, and nobody waits for it', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const look = vi.fn(() => end)
  const turn = await start(look)
  await turn()
  expect(look).toHaveBeenCalledTimes(1)
  resolve()
  await vi.waitFor(async () => {
    await turn()
    expect(look).toHaveBeenCalledTimes(2)
  })
})

it('a loop reports a failure and continues, and reports nothing when the process stops', async () => {
  const complain = vi.fn()
  const failure = new Error('broken')
  const turn = await start(() => Promise.reject(failure), { isAwaited: true, complain })
  await turn()
  expect(complain.mock.calls).toEqual([[failure], [failure]])
  await start(() => Promise.reject(failure), { isAwaited: true, complain, signal: AbortSignal.abort() })
  expect(complain).toHaveBeenCalledTimes(2)
})

it('work that is repeated until it succeeds is not repeated after that', async () => {
  const act = vi.fn(() => Promise.resolve())
  act.mockRejectedValueOnce(new Error('not yet'))
  const done = untilDone(act)
  await expect(done(stopping)).rejects.toThrow('not yet')
  await done(stopping)
  await done(stopping)
  expect(act).toHaveBeenCalledTimes(2)
})
