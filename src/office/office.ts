import type { FrameOffice } from '../ui/basic/frame.ts'

/** The office's name, logo and contact. A text is empty if it is not set. */
export type Office = FrameOffice

export const NO_OFFICE: Office = { name: '', contactPerson: '', phone: '', email: '', logo: null }

/** The office, as its form shows it. The version tells whether somebody has saved since the form was opened. */
export type EditedOffice = Office & { version: number }

/** The logo's name inside a mail. */
export const LOGO_IN_MAIL = 'logo@ringbind'
