/** The header of a request that the page makes by itself, so that a page left open does not keep its session alive. */
export const UNATTENDED = 'x-unattended'
