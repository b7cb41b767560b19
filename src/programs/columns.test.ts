import { beforeAll, expect, it } from 'vitest'
import { columnKey, listColumns, type Column } from '../../test/rows/catalogue.ts'
import { freshApp } from '../../test/app.ts'
import type { OpenApi, Schema } from './openapi.ts'

const ADDRESS = 'the address says it'
const BOOKKEEPING = 'how Ringbind keeps it'
const MADE = 'made of the rest'
const OFFICE = 'for the office, on its own pages'
const ORDER = 'the order of the list'
const OWN_SETTING = 'chosen by everybody for themselves'
const SECRET = 'about signing in'

/** A table whose rows the API answers. */
type Shown = {
  schemas: string[]
  /** The field that holds its columns. */
  within?: string
  /** The names of its columns in the answer, if they differ from the table. */
  as?: Record<string, string>
  /** The columns that are not answered, and why. */
  not?: Record<string, string>
}
const SHOWN: Record<string, Shown> = {
  projects: {
    schemas: ['Project'],
    not: {
      created_at: OFFICE,
      changed_at: MADE,
      year_ends: OFFICE,
      held_from: OFFICE,
      sold_on: OFFICE,
      followed_from: OFFICE,
    },
  },
  folders: {
    schemas: ['FolderSection'],
    not: {
      project_id: ADDRESS,
      user_id: ADDRESS,
      sub_names: OFFICE,
      place: ORDER,
      changed_at: MADE,
      shared_at: OFFICE,
      shown_count: MADE,
      shown_changed_at: MADE,
      expects: OFFICE,
      expects_from: OFFICE,
      expects_to: OFFICE,
      due_months: OFFICE,
    },
  },
  files: {
    schemas: ['PlacedFile', 'DeletedFile'],
    as: {
      folder_id: 'folder.id',
      key: 'path',
      is_held_back: 'held',
      version: 'is_version',
      shown_at: 'is_new',
    },
    not: {
      blob_id: BOOKKEEPING,
      position: ORDER,
      uploaded_by: OFFICE,
      submission_id: BOOKKEEPING,
      released_at: OFFICE,
      last_version: BOOKKEEPING,
      version_at: OFFICE,
      version_by: OFFICE,
    },
  },
  blobs: {
    schemas: ['PlacedFile'],
    as: { type: 'mime' },
    not: { key: BOOKKEEPING, state: BOOKKEEPING, crc32: BOOKKEEPING },
  },
  users: {
    schemas: ['User'],
    as: {
      deactivated_at: 'deactivated',
      first_number: 'numbers',
      image_key: 'image',
      password_hash: 'pending',
    },
    not: {
      email_key: MADE,
      created_at: OFFICE,
      search: MADE,
      files_seen_at: OWN_SETTING,
      mail_rate: OWN_SETTING,
      told_of_guessing: OWN_SETTING,
      told_of_troubles: OWN_SETTING,
      has_factor: SECRET,
      factor_changes: SECRET,
      has_identity: SECRET,
    },
  },
  user_numbers: { schemas: ['User'], as: { number: 'numbers', user_id: 'id' } },
  releases: {
    schemas: ['Release'],
    not: {
      submission_id: BOOKKEEPING,
      planned_by: OFFICE,
      published_by: OFFICE,
      recalled_at: OFFICE,
      recalled_by: OFFICE,
      announced_at: BOOKKEEPING,
      message: OFFICE,
      is_for_everybody: OFFICE,
      asked_at: OFFICE,
      asked_by: OFFICE,
      approved_at: OFFICE,
      approved_by: OFFICE,
      rejected_at: OFFICE,
      rejected_by: OFFICE,
      rejection: OFFICE,
      planned_for: BOOKKEEPING,
    },
  },
  release_people: {
    schemas: ['ReleasePerson'],
    as: { user_id: 'id', outcome: 'mail' },
    not: { release_id: ADDRESS, is_reminder: OFFICE, mail_id: BOOKKEEPING },
  },
  inbox: {
    schemas: ['InboxItem'],
    as: { submission_id: 'id', changed_by: 'by', changed_at: 'at' },
    not: { files_count: MADE, announced_at: BOOKKEEPING },
  },
  intakes: {
    schemas: ['InboxItem'],
    within: 'intake',
    as: { submission_id: 'id' },
    not: { arrived_at: BOOKKEEPING, fed_at: BOOKKEEPING },
  },
  intake_files: {
    schemas: ['InboxItem'],
    within: 'intake.files',
    as: {
      submission_id: 'id',
      filed_at: 'intake.files.state',
      removed_at: 'intake.files.state',
      file_id: 'intake.files.filed.id',
    },
    not: { type: BOOKKEEPING, blob_id: BOOKKEEPING, token: SECRET },
  },
  reports: { schemas: ['Report'], not: { user_id: ADDRESS, saved_at: OFFICE, saved_by: OFFICE } },
  report_companies: { schemas: ['Report'], within: 'companies', not: { user_id: ADDRESS, place: ORDER } },
  log: {
    schemas: ['LogEntry'],
    as: {
      user_id: 'user.id',
      subject_user_id: 'subject.id',
      as_user_id: 'seen_as.id',
      for_user_id: 'lender.id',
      token_id: 'token.id',
      project_id: 'project.id',
      folder_id: 'folder.id',
      file_id: 'file.id',
    },
  },
  log_names: { schemas: ['LogEntry'], within: 'names', as: { log_id: 'id' } },
}

let columns: Column[]
let api: OpenApi
beforeAll(async () => {
  const { app, db } = await freshApp({ hasJobs: false })
  columns = await listColumns(db)
  api = (await app.inject('/api/openapi.json')).json<OpenApi>()
})

/** The fields of a schema by their paths, also those of schemas within: 'folder.name'. */
function fieldsOf(schema: Schema, path = ''): string[] {
  const inner = schema.$ref ? api.components.schemas[schema.$ref.split('/').at(-1)!]! : schema
  const parts = [...(inner.anyOf ?? []), ...(inner.oneOf ?? []), ...(inner.items ? [inner.items] : [])]
  return [
    ...parts.flatMap((part) => fieldsOf(part, path)),
    ...Object.entries(inner.properties ?? {}).flatMap(([name, field]) => [
      `${path}${name}`,
      ...fieldsOf(field, `${path}${name}.`),
    ]),
  ]
}

it('every column that the API returns is in its schema, or left out by name with a reason', () => {
  const faults: string[] = []
  for (const [table, { schemas, within, as = {}, not = {} }] of Object.entries(SHOWN)) {
    const known = columns.filter((column) => column.table === table && !column.isMade)
    const fields = new Set(schemas.flatMap((name) => fieldsOf(api.components.schemas[name]!)))
    for (const column of known) {
      const { name } = column
      const field = as[name] ?? (within ? `${within}.${name}` : name)
      if (!fields.has(field) && !(name in not))
        faults.push(
          `${columnKey(column)}: ${schemas.join(', ')} has no ${field}. Add it to the answer's schema, or name it in SHOWN of src/programs/columns.test.ts with the reason.`,
        )
      if (fields.has(field) && name in not) faults.push(`${columnKey(column)} is answered, and named as not.`)
    }
    const names = new Set(known.map(({ name }) => name))
    for (const name of [...Object.keys(as), ...Object.keys(not)])
      if (!names.has(name)) faults.push(`${table}.${name} is no column.`)
  }
  expect(faults).toEqual([])
})
