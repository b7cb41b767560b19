import { scopeText, untilText, type LentScope } from '../../access/lent.ts'
import type { FieldWords } from '../../server/edits.ts'

/**
 * The values that the form of a lending changes. The scope is one value, so that nobody lends a mix that they have not
 * seen.
 */
type LendingValues = { scope: LentScope; gets_mails: boolean; until: string | null }

type Lent = LentScope & { gets_mails: boolean; until: Date | string | null }

export const lendingValues = ({
  is_everything: isAll,
  folder_names: names,
  with_own_files: withOwn,
  gets_mails,
  until,
}: Lent): LendingValues => ({
  scope: {
    is_everything: isAll,
    folder_names: isAll ? [] : names,
    with_own_files: !isAll && withOwn,
  },
  gets_mails,
  until: until === null ? null : new Date(until).toISOString(),
})

export const lendingWords = (timeZone: string): FieldWords<LendingValues> => ({
  scope: { label: 'Kan se', say: scopeText },
  gets_mails: 'Send også mails om nye filer',
  until: { label: 'Adgangen gælder', say: (until) => untilText(until, timeZone) },
})
