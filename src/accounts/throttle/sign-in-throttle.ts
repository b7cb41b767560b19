/**
 * How many wrong passwords per account, browser or address, how many requests for a link, and how many sign-ins that a
 * known person began at a provider and did not finish, are free. After that, each further one must wait.
 */
export const FREE_FAILURES = { account: 10, device: 10, address: 100, linkRequests: 30, elsewhere: 30 }
export const WINDOW_MINUTES = 15
const LONGEST_WAIT = 60

/** Seconds to wait after the last failure: 1, 2, 4 … once the free failures are used, at most a minute. */
export function waitSeconds(failures: number, free: number): number {
  return failures < free ? 0 : Math.min(LONGEST_WAIT, 2 ** (failures - free))
}
