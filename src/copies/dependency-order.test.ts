import { expect, it } from 'vitest'
import { dependencyOrder } from './dependency-order.ts'

it('puts every table after those it refers to', () => {
  const references = [
    { from: 'files', to: 'folders' },
    { from: 'folders', to: 'users' },
    { from: 'files', to: 'blobs' },
    { from: 'log', to: 'outside' },
  ]
  expect(dependencyOrder(['files', 'log', 'folders', 'users', 'blobs'], references)).toEqual([
    'blobs',
    'log',
    'users',
    'folders',
    'files',
  ])
})

it.each([
  [[{ from: 'a', to: 'a' }]],
  [
    [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ],
  ],
])('throws if tables refer to each other in a circle: %j', (references) => {
  expect(() => dependencyOrder(['a', 'b', 'c'], references)).toThrow(
    /point at each other or at themselves: a/,
  )
})
