import { expect, it } from 'vitest'
import { loginTo, ownPath, safeNext } from './next-urls.ts'

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
])('continuing to %j leads to %j', (next, path) => {
  expect(safeNext(next)).toBe(path)
})

it('changing the theme may lead back to the sign-in', () => {
  expect(ownPath('/login?next=%2Fx')).toBe('/login?next=%2Fx')
  expect(ownPath('//evil.example')).toBe('/')
})

it('the sign-in leads on to the requested page', () => {
  expect(loginTo('/')).toBe('/login')
  expect(loginTo('/projects?q=æ&page=2')).toBe('/login?next=%2Fprojects%3Fq%3D%C3%A6%26page%3D2')
})
