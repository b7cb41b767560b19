import { expect, it, onTestFinished, vi } from 'vitest'
import { OfficeSign } from './office-sign.server.ts'
import { NO_OFFICE } from './office.ts'

const named = (name: string) => ({ ...NO_OFFICE, name })

it('queries the office once for many pages, and again after a second or a change', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const find = vi.fn(async () => named('Nordhavn'))
  const sign = new OfficeSign(find)
  for (const office of await Promise.all([sign.read(), sign.read(), sign.read()]))
    expect(office.name).toBe('Nordhavn')
  expect(find).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(999)
  await sign.read()
  expect(find).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  await sign.read()
  expect(find).toHaveBeenCalledTimes(2)
  sign.forget()
  await sign.read()
  expect(find).toHaveBeenCalledTimes(3)
})

it('shows a change even if a query that began before it ends after it', async () => {
  const slow = Promise.withResolvers<typeof NO_OFFICE>()
  const find = vi.fn(async () => named('Ny')).mockImplementationOnce(() => slow.promise)
  const sign = new OfficeSign(find)
  const early = sign.read()
  sign.forget()
  expect((await sign.read()).name).toBe('Ny')
  slow.resolve(named('Gammel'))
  await early
  expect((await sign.read()).name).toBe('Ny')
})

it('shows the last known office while the database fails or does not answer', async () => {
  const find = vi.fn(async () => named('Nordhavn'))
  const sign = new OfficeSign(find)
  await sign.read()
  for (const failing of [
    () => Promise.reject(new Error('gone')),
    () => new Promise<never>(() => undefined),
  ]) {
    sign.forget()
    find.mockImplementationOnce(failing)
    expect((await sign.read()).name).toBe('Nordhavn')
  }
})
