import { expect, it } from 'vitest'
import { NOTICES } from './notice.ts'

it.each([
  [['Bo Holm'], 'som Bo Holm. Spørg, om det er vedkommende selv.'],
  [['Bo Holm', 'Ida Ny'], 'som Bo Holm og Ida Ny. Spørg, om det er dem selv.'],
  [['Bo', 'Ida', 'Åse'], 'som Bo, Ida og Åse. Spørg'],
  [['Bo', 'Ida', 'Åse', 'Carl', 'Dorte'], 'som Bo, Ida og 3 andre. Spørg'],
])('names %j as people whose password is guessed at', (names, text) => {
  expect(NOTICES['account-guessed'].text({ names })).toContain(text)
})
