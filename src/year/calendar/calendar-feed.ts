/** A person's address for their calendar, without its secret. */
export type CalendarFeed = {
  /** Also the duties that others or nobody are responsible for. */
  shows_all: boolean
  created_at: string
  /** When a calendar last fetched it. */
  read_at: string | null
}
