import type { PageName } from '../../src/pages.ts'

/** An address at which to see each page. A page that is missing here fails a test. */
export const ADDRESSES: Record<PageName, string> = {
  error: '/findes-ikke',
  welcome: '/',
}
