import { expect, it } from 'vitest'
import { NOTICES } from './notice.ts'

it.each([
  [['Bo Holm'], 'som Bo Holm. Er det ikke vedkommende selv, prøver'],
  [['Bo Holm', 'Ida Ny'], 'som Bo Holm og Ida Ny. Er det ikke dem selv, prøver'],
  [['Bo', 'Ida', 'Åse'], 'som Bo, Ida og Åse. Er'],
  [['Bo', 'Ida', 'Åse', 'Carl', 'Dorte'], 'som Bo, Ida og 3 andre. Er'],
])('names %j as people whose password is guessed at', (names, text) => {
  expect(NOTICES['account-guessed'].text({ names })).toContain(text)
})
