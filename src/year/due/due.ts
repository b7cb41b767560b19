/** Some of many. More than `MOST_COUNTED` are not counted. */
export type Some<Row> = { rows: Row[]; total: number }

/** A page waits for no longer count than this. */
export const MOST_COUNTED = 500
