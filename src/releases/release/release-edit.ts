import { shortDateTime } from '../../base/time/dates.ts'
import type { Edit, FieldWords } from '../../server/edits.ts'
import type { ReleaseMail } from './release.ts'

/** The values that a form was opened with, and the time zone in which times are written. */
export type Opened = { edit: Edit | null; timeZone: string; papers?: string | undefined }

export const MAIL_WORDS: FieldWords<ReleaseMail> = {
  message: 'Besked fra kontoret',
  is_for_everybody: 'Skal ud til alle',
}

export const NAME_WORDS: FieldWords<{ name: string }> = { name: 'Navn' }

export const planWords = (timeZone: string): FieldWords<{ publish_at: string | null }> => ({
  publish_at: { label: 'Udgives den', say: (time) => (time === null ? '' : shortDateTime(time, timeZone)) },
})
