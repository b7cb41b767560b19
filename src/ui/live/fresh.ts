import type { reuse } from '../../base/reuse.ts'

/** The functions that refresh a list. They load late, with `listen-to.ts`, so that the page itself stays small. */
export type Fresh = {
  /**
   * Fetches until the answer is newer than what the user has done here, and waits until nothing is disturbed if the page
   * changes.
   */
  newest: <Answer>(fetchIt: () => Promise<Answer>) => Promise<Answer>
  /** Fetches JSON so, which is no use of the session. Null if it cannot be had. */
  get: <Answer>(url: string) => Promise<Answer | null>
  reuse: typeof reuse
}

/** Shows what has changed. Returns whether the page shows something else now; null if it could not be fetched. */
export type Refresh = (fresh: Fresh) => Promise<boolean | null>
