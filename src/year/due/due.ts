import { formatCount } from '../../base/danish/counts.ts'

/** Some of many. More than `MOST_COUNTED` are not counted. */
export type Some<Row> = { rows: Row[]; total: number }

/** A page waits for no longer count than this. */
export const MOST_COUNTED = 500

/** Says how many duties were left out, since a file that ends them is being saved. */
export const leftOutText = (left: number) =>
  left === 1
    ? 'Én pligt har ikke skiftet ansvarlig, fordi der gemmes filer til den lige nu. Prøv igen om lidt.'
    : `${formatCount(left)} pligter har ikke skiftet ansvarlig, fordi der gemmes filer til dem lige nu. Prøv igen om lidt.`
