// Values for tests, without the server's code: each worker of the browser tests reads what its tests import.

export const PASSWORD = 'korrekt hest batteri'

/** A random CVR number with a right check digit. */
export function newCvr(): string {
  const weights = [2, 7, 6, 5, 4, 3, 2]
  for (;;) {
    const digits = weights.map(
      (_, index) => Math.floor(Math.random() * (index === 0 ? 9 : 10)) + (index === 0 ? 1 : 0),
    )
    const rest = digits.reduce((sum, digit, index) => sum + digit * weights[index]!, 0) % 11
    if (rest !== 1) return [...digits, rest === 0 ? 0 : 11 - rest].join('')
  }
}
