/** Collects answers from several processes. */
export type Survey = {
  /** Says how this process answers. */
  answer: (tell: () => Promise<string>) => void
  /** Returns the answers of all processes, this one's too. Those that do not answer in time are left out. */
  ask: () => Promise<string[]>
}
