/** Somewhere a person is signed in. */
export type Session = {
  id: number
  /** 'Chrome på Windows' */
  device: string
  created_at: string
  used_at: string
  /** The one that asks. */
  is_present: boolean
}
