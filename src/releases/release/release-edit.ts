import { shortDateTime } from '../../base/time/dates.ts'
import type { Edit, FieldWords } from '../../server/edits.ts'
import type { ReleaseMail } from './release.ts'

/** What a form that was open for a while says, and where times are said. */
export type Opened = { edit: Edit | null; timeZone: string; papers?: string | undefined }

export const MAIL_WORDS: FieldWords<ReleaseMail> = {
  message: 'Besked fra kontoret',
  is_for_everybody: 'Skal ud til alle',
}

export const planWords = (timeZone: string): FieldWords<{ publish_at: string | null }> => ({
  publish_at: { label: 'Udgives den', say: (time) => (time === null ? '' : shortDateTime(time, timeZone)) },
})
