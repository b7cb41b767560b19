/** The header with which a page says whom it shows Ringbind as: a person's id, or `NOBODY_ELSE`. */
export const VIEWED = 'x-viewed'

/** The page is the signed-in person's own. */
export const NOBODY_ELSE = '0'

/** The header of a request that the page makes by itself, so that a page left open does not keep its session alive. */
export const UNATTENDED = 'x-unattended'
