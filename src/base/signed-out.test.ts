import { expect, it } from 'vitest'
import { signedOutText } from './signed-out.ts'

it.each([
  [
    'Gem',
    'Du er blevet logget ud. Log ind i en ny fane, og tryk Gem igen. Det, du har skrevet, er her stadig.',
  ],
  [undefined, 'Du er blevet logget ud. Log ind i en ny fane, og prøv igen.'],
])('names the button to press after signing in again: %s', (press, text) => {
  expect(signedOutText(press)).toBe(text)
})
