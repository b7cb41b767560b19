import { expect, it } from 'vitest'
import { sharingText } from './sharing.tsx'

it.each([
  [true, false, 'Deles med investorer'],
  [true, true, 'Deles med investorer'],
  [false, false, 'Kun kontoret'],
  [false, true, 'Kontoret og revisor'],
])('says who sees a folder: shared %s, with an auditor %s', (isShared, hasAuditor, text) => {
  expect(sharingText(isShared, hasAuditor)).toBe(text)
})
