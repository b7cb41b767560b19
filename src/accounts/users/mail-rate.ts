/** How often a person gets mails about new files. */
export const MAIL_RATES = ['at-once', 'daily', 'weekly', 'never'] as const
export type MailRate = (typeof MAIL_RATES)[number]

export const MAIL_RATE_NAMES: Record<MailRate, string> = {
  'at-once': 'Straks',
  daily: 'Hver dag',
  weekly: 'Hver uge',
  never: 'Aldrig',
}
