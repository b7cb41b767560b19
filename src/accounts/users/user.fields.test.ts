import { expect, it } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import { listColumns } from '../../../test/rows/catalogue.ts'
import { namesOf } from '../../base/fields/field.ts'
import { sentenceOf, textOf } from '../../log/words/sentence.ts'
import { COLUMN_FIELDS, DETAIL_FIELDS } from './user.fields.ts'

/** Columns that are made of others, and what people choose for themselves. */
const NO_FIELDS = [
  'id',
  'created_at',
  'deactivated_at',
  'email_key',
  'factor_changes',
  'files_seen_at',
  'first_number',
  'has_factor',
  'has_identity',
  'image_key',
  'mail_rate',
  'password_hash',
  'search',
  'told_of_guessing',
  'told_of_troubles',
]

it('every column of a person is a field, or is named as an exception', async () => {
  const { db } = await freshDatabase()
  const columns = (await listColumns(db)).filter(({ table }) => table === 'users')
  expect(columns.map(({ name }) => name).sort()).toEqual([...namesOf(COLUMN_FIELDS), ...NO_FIELDS].sort())
})

it.each([...namesOf(DETAIL_FIELDS), 'numbers'])('the log has words for a change of the field %s', (field) => {
  const subject = { id: 2, name: 'Anne Holm', email: 'anne@example.dk' }
  const of = { user: null, seen_as: null, token: null, lender: null, project: null, folder: null, file: null }
  const entry = {
    id: 1,
    at: '2026-03-12T12:00:00Z',
    release: null,
    address: null,
    names: null,
    ...of,
    subject,
  }
  const said = textOf(sentenceOf({ ...entry, act: 'user-changed', detail: field }))
  expect(said).not.toBe('ændrede oplysningerne om Anne Holm')
})
