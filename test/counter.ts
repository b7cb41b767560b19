let count = 0

/** Returns the next number for a name. Each test file begins at 1, whatever ran before it in its worker. */
export const countUp = () => ++count

export const startCount = () => void (count = 0)
