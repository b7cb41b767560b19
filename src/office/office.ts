import type { FrameOffice } from '../ui/basic/frame.ts'

/** The office's name, logo and contact. A text is empty if it is not set. */
export type Office = FrameOffice

export const NO_OFFICE: Office = { name: '', contactPerson: '', phone: '', email: '', logo: null }

/**
 * The office, as its page shows it. `needsApproval` means that what somebody uploads is published when another has approved
 * it; `placesSure` that sure papers of a pile are put in their places without a press.
 */
export type EditedOffice = Office & { needsApproval: boolean; placesSure: boolean }

/** The logo's name inside a mail. */
export const LOGO_IN_MAIL = 'logo@ringbind'

/** Returns the name that mails are from. */
export const senderOf = ({ name }: Office) => name || 'Ringbind'

/** How long the office's own words for the search may be: more than 200 lines of the usual length. */
export const MOST_WORD_LETTERS = 8000
