import { z } from 'zod'
import { USER_FIELDS } from '../accounts/users/user.fields.ts'
import { answerSchemas } from '../server/fields.ts'
import { pageOf, rowId } from '../server/http/answers.ts'
import type { ProgramCall } from '../server/http/program-call.ts'
import { USER_COLUMNS, type UserRow } from './user/user-row.ts'

const UserAnswer = z
  .strictObject({
    id: rowId.meta({ examples: [4] }),
    ...answerSchemas(USER_FIELDS),
    deactivated: z.boolean(),
    pending: z.boolean().meta({ description: 'Om personen endnu ikke har valgt en adgangskode.' }),
    image: z
      .string()
      .nullable()
      .meta({ description: 'Billedets adresse.', examples: [null] }),
  })
  .meta({ id: 'User', description: 'En person.' }) satisfies z.ZodType<UserRow>

export const LIST_USERS = {
  scope: 'read',
  id: 'listUsers',
  chapter: 'people',
  summary: 'List personer',
  list: { columns: USER_COLUMNS },
  answer: pageOf(UserAnswer),
  example: { query: { q: 'søren' } },
} as const satisfies ProgramCall
