import type { PageName } from '../../src/pages.ts'

/** Where to see a page, and as whom. A page that is missing here fails a test. */
export const LOOKS: Record<PageName, { address: string; as?: string }> = {
  error: { address: '/findes-ikke' },
  login: { address: '/login' },
  setup: { address: '/setup' },
  'forgot-password': { address: '/forgot-password' },
  'set-password': { address: '/reset-password/x' },
  'dead-link': { address: '/reset-password/brugt' },
  start: { address: '/', as: 'administrator' },
}
