/** Wrong passwords before an account, a browser or an address must wait between tries; and questions for a link. */
export const FREE_FAILURES = { account: 10, device: 10, address: 100, asking: 30 }
export const WINDOW_MINUTES = 15
const LONGEST_WAIT = 60

/** How long after the last of so many failures the next try is taken: 1, 2, 4 … seconds, at most a minute. */
export function waitSeconds(failures: number, free: number): number {
  return failures < free ? 0 : Math.min(LONGEST_WAIT, 2 ** (failures - free))
}
