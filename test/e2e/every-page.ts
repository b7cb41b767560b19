import type { PageName } from '../../src/pages.ts'
import { PORTS, readFacts, type Facts } from './facts.ts'

/** Where to see a page, and as whom. A page that is missing here fails a test. */
export const LOOKS: Record<PageName, { address: (facts: Facts) => string; as?: string }> = {
  error: { address: () => '/findes-ikke' },
  login: { address: () => '/login' },
  setup: { address: () => readFacts(PORTS.emptyWithoutScript).setupLink! },
  'forgot-password': { address: () => '/forgot-password' },
  'set-password': { address: ({ resetToken }) => `/reset-password/${resetToken}` },
  'dead-link': { address: () => '/reset-password/brugt' },
  gallery: { address: () => '/gallery' },
  start: { address: () => '/', as: 'administrator' },
}
