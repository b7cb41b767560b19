/** A browser where a person is signed in. */
export type Session = {
  id: number
  /** 'Chrome på Windows' */
  device: string
  created_at: string
  used_at: string
  /** Whether this is the session that makes the request. */
  is_present: boolean
}
