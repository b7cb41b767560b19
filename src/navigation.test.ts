import { expect, it } from 'vitest'
import { isCurrent } from './navigation.ts'
import { urls } from './urls.ts'

it.each([
  [urls.start, urls.start, true],
  [urls.start, urls.projects, false],
  [urls.projects, `${urls.projects}/7/files`, true],
  [urls.projects, '/projectsx', false],
  [urls.office, urls.office, true],
  [urls.office, urls.status, true],
  [urls.office, `${urls.hooks}/3`, true],
  [urls.office, urls.templateFolders, false],
  [urls.templateFolders, urls.templateFolders, true],
])('the item of %s is marked at %s: %s', (href, path, is) => {
  expect(isCurrent(href, path)).toBe(is)
})
