import { expect, it } from 'vitest'
import { leftOutText, remindedText } from './reminded-text.ts'

it.each([
  [{ reached: 4, opened: 3, unopened: 1 }, 'den ene', ''],
  [{ reached: 14, opened: 2, unopened: 12 }, 'de 12', ''],
  [
    { reached: 17, opened: 2, unopened: 12 },
    '12 af de 15',
    '3 personer har ikke fået mail om dem og får heller ingen påmindelse. ',
  ],
  [
    { reached: 2, opened: 0, unopened: 1 },
    '1 af de 2',
    '1 person har ikke fået mail om dem og får heller ingen påmindelse. ',
  ],
  // Some of those who opened no longer see it.
  [{ reached: 2, opened: 3, unopened: 1 }, 'den ene', ''],
])('says how many of those who have opened nothing are reminded: %j', (counts, reminded, leftOut) => {
  expect([remindedText(counts), leftOutText(counts)]).toEqual([reminded, leftOut])
})
