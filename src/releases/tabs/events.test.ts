import { expect, it } from 'vitest'
import { eventsOf } from './events.ts'

const day = (number: number) => `2026-11-0${number}T12:00:00.000Z`
const UPLOADED = {
  made_at: day(1),
  made_by: 'Mette',
  published_at: null,
  published_by: null,
  recalled_at: null,
  recalled_by: null,
}
const NO_APPROVAL = {
  asked_at: null,
  asked_by: 'Mette',
  approved_at: null,
  approved_by: null,
  rejected_at: null,
  rejected_by: null,
}
const textsOf = (...known: Parameters<typeof eventsOf>) => eventsOf(...known).map(({ text }) => text)

it('tells what was done, newest first', () => {
  const approval = { ...NO_APPROVAL, asked_at: day(3), approved_at: day(4), approved_by: 'Karl' }
  const release = { ...UPLOADED, published_at: day(5), published_by: null }
  const accepted = [{ by: 'Ida', papers: 1, at: day(2) }]
  expect(textsOf({ release, approval, accepted })).toEqual([
    'Ringbind udgav papirerne',
    'Karl godkendte',
    'Mette bad om godkendelse',
    'Ida accepterede advarslen om 1 papir',
    'Mette uploadede papirerne',
  ])
})

it('leaves out what was not done', () => {
  expect(textsOf({ release: UPLOADED, approval: NO_APPROVAL, accepted: [] })).toEqual([
    'Mette uploadede papirerne',
  ])
})
