import { expect, it } from 'vitest'
import { loginTo, ownPath, safeNext } from './urls.ts'

it.each([
  ['/projects?page=2#folder-3', '/projects?page=2#folder-3'],
  ['/', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/.//evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['projects', '/'],
  ['/login?next=/login', '/'],
  ['/x\r\nSet-Cookie: a=b', '/xSet-Cookie:%20a=b'],
  [`/${'x'.repeat(3000)}`, '/'],
  [['/a'], '/'],
  [undefined, '/'],
])('going on to %j leads to %j', (next, path) => {
  expect(safeNext(next)).toBe(path)
})

it('may come back to the sign-in itself, when only the colours change', () => {
  expect(ownPath('/login?next=%2Fx')).toBe('/login?next=%2Fx')
  expect(ownPath('//evil.example')).toBe('/')
})

it('leads back to where somebody wanted to go', () => {
  expect(loginTo('/')).toBe('/login')
  expect(loginTo('/projects?q=æ&page=2')).toBe('/login?next=%2Fprojects%3Fq%3D%C3%A6%26page%3D2')
})
