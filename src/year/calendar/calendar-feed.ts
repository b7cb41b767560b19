/** A person's address for their calendar, without its secret. */
export type CalendarFeed = {
  created_at: string
  /** When a calendar last fetched it. */
  read_at: string | null
}
