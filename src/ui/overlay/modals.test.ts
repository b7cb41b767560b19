import { afterEach, expect, it, vi } from 'vitest'
import { modals } from './modals.ts'

afterEach(() => ['delete', 'rename'].forEach(modals.close))

const FILE = { id: 7, name: 'Årsrapport (1042) 2024.pdf' }

it.each<[name: string, acts: () => void, isOpen: boolean, subject: unknown]>([
  ['is closed at first', () => undefined, false, undefined],
  ['opens', () => modals.open('delete'), true, undefined],
  ['opens with true', () => modals.open('delete', true), true, undefined],
  ['opens with a subject', () => modals.open('delete', FILE), true, FILE],
  ['opens with an id', () => modals.open('delete', 7), true, 7],
  ['opens with 0, which is no boolean', () => modals.open('delete', 0), true, 0],
  ['opens with an empty text', () => modals.open('delete', ''), true, ''],
  ['opens with null', () => modals.open('delete', null), true, null],
  ['takes another subject while open', () => (modals.open('delete', 7), modals.open('delete', 8)), true, 8],
  ['closes', () => (modals.open('delete', FILE), modals.close('delete')), false, undefined],
  ['closes with false', () => (modals.open('delete', FILE), modals.open('delete', false)), false, undefined],
  ['may be closed twice', () => (modals.close('delete'), modals.close('delete')), false, undefined],
  ['toggles open', () => modals.toggle('delete'), true, undefined],
  ['toggles closed', () => (modals.open('delete', FILE), modals.toggle('delete')), false, undefined],
  ['is not opened by another', () => modals.open('rename', FILE), false, undefined],
  [
    'is not closed by another',
    () => (modals.open('delete', FILE), modals.open('rename'), modals.close('rename')),
    true,
    FILE,
  ],
])('S4.1 a modal %s', (_name, acts, isOpen, subject) => {
  acts()
  expect([modals.isOpen('delete'), modals.subject('delete')]).toEqual([isOpen, subject])
})

it('S4.1 listeners are notified of each change, and of nothing else', () => {
  const heard = vi.fn()
  const stop = modals.listen(heard)
  modals.open('delete', FILE)
  modals.open('delete', FILE)
  modals.close('delete')
  modals.close('delete')
  expect(heard).toHaveBeenCalledTimes(2)
  stop()
  modals.open('delete')
  expect(heard).toHaveBeenCalledTimes(2)
})
