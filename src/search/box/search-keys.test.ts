import { expect, it } from 'vitest'
import { isSearchKey } from './search-keys.ts'

type Given = Partial<Parameters<typeof isSearchKey>[0]> & { key: string; isTyping?: boolean }

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, defaultPrevented: false }

it.each<[Given, boolean]>([
  [{ key: 'k', ctrlKey: true }, true],
  [{ key: 'K', ctrlKey: true }, true], // with Caps Lock
  [{ key: 'k', metaKey: true }, true],
  [{ key: 'k' }, false],
  [{ key: 'k', ctrlKey: true, isTyping: true }, true],
  [{ key: '/', isTyping: true }, false],
  [{ key: 'k', ctrlKey: true, shiftKey: true }, false], // the browser's console
  [{ key: 'k', ctrlKey: true, altKey: true }, false],
  [{ key: '/' }, true],
  [{ key: '/', shiftKey: true }, true], // a Danish keyboard
  [{ key: '/', ctrlKey: true }, false],
  [{ key: '/', defaultPrevented: true }, false],
  [{ key: '7', shiftKey: true }, false],
])('the key %j opens the search: %s', ({ isTyping = false, ...pressed }, expected) => {
  expect(isSearchKey({ ...NONE, ...pressed }, isTyping)).toBe(expected)
})
