import { expect, it } from 'vitest'
import { addsToTitle, errorWords } from './error-words.ts'

const STATUSES = [400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 429, 500, 503, 507]

it('every status has a title of its own', () => {
  const titles = STATUSES.map((status) => errorWords(status).title)
  expect(new Set(titles).size).toBe(STATUSES.length)
  expect(titles).not.toContain(errorWords(418).title)
})

it.each([
  [404, 'Siden findes ikke.', false],
  [404, 'Projektet findes ikke.', true],
  [503, 'Ringbind er midlertidigt ude af drift. Prøv igen om lidt.', false],
  [413, 'Det, der blev sendt, er for stort.', false],
])('drops a message that repeats the title: %i %s', (status, message, adds) => {
  expect(addsToTitle(errorWords(status), message)).toBe(adds)
})
