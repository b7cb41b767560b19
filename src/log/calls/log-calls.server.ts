import { z } from 'zod'
import { count, moment, PageMeta, rowId } from '../../server/http/answers.ts'
import type { ProgramCall } from '../../server/http/program-call.ts'
import { ACTS } from '../words/act.ts'
import type { LogAnswer, LogEntry } from '../words/entry.ts'
import type { LogQuery } from '../words/filter.ts'
import { PERIODS } from '../words/named-period.ts'

const name = z.string().meta({ examples: ['Mads Thorup'] })
const Named = z.strictObject({ id: rowId, name })
const Person = z.strictObject({
  id: rowId,
  name,
  email: z.string().meta({ examples: ['medarbejder@ringbind.example'] }),
})
const NamedProject = z.strictObject({ id: rowId, name: z.string(), number: z.string() })

const FileOfEntry = z.strictObject({
  id: rowId,
  name: z.string().nullable().meta({ description: 'null, hvis filen er slettet for altid.' }),
  path: z.string().nullable(),
  owner: z.union([z.strictObject({ project: rowId }), z.strictObject({ user: rowId })]).nullable(),
  in_trash: z.boolean(),
})

const EntryAnswer = z
  .strictObject({
    id: rowId,
    at: moment,
    act: z.enum(ACTS).meta({ description: 'Hvad der skete.', examples: ['file-renamed'] }),
    user: Person.nullable().meta({ description: 'Hvem der gjorde det.' }),
    seen_as: Person.nullable().meta({ description: 'Som hvem en administrator så det.', examples: [null] }),
    token: Named.nullable().meta({
      description: 'API-nøglen, hvis et program gjorde det.',
      examples: [null],
    }),
    lender: Named.nullable().meta({ description: 'På hvis vegne.', examples: [null] }),
    subject: Person.nullable().meta({ description: 'Hvem det handlede om.', examples: [null] }),
    project: NamedProject.nullable(),
    folder: z.strictObject({ id: rowId, name: z.string().nullable() }).nullable(),
    file: FileOfEntry.nullable(),
    release: Named.nullable().meta({ description: 'Udsendelsen, det handlede om.', examples: [null] }),
    address: z
      .string()
      .nullable()
      .meta({ description: 'IP-adressen.', examples: ['192.0.2.7'] }),
    detail: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    names: z.strictObject({ before: z.string(), after: z.string() }).nullable(),
  })
  .meta({ id: 'LogEntry', description: 'En linje i loggen.' }) satisfies z.ZodType<LogEntry>

const day = z
  .string()
  .nullable()
  .meta({ examples: ['2026-01-01'] })

const LogListAnswer = z.strictObject({
  data: z.array(EntryAnswer),
  meta: PageMeta.extend({ is_more: z.boolean().meta({ description: 'Om der er flere, end der er talt.' }) }),
  picked: z
    .strictObject({
      person: Named.nullable(),
      project: NamedProject.nullable(),
      file: FileOfEntry.nullable(),
      reads: z
        .strictObject({ people: count, last: z.strictObject({ at: moment, name: z.string() }).nullable() })
        .nullable()
        .meta({ description: 'For en fil: hvem der har læst den.', examples: [null] }),
      reach: z
        .strictObject({ release: rowId.nullable(), reached: count, opened: count })
        .nullable()
        .meta({ description: 'For en fil: hvem den når.', examples: [null] }),
      versions: z
        .array(
          z.strictObject({
            id: rowId.nullable(),
            number: z.int().nullable(),
            added_at: moment,
            added_by: z.string().nullable(),
            size: count,
            held: z.strictObject({ name: z.string(), release: rowId }).nullable(),
            is_unpublished: z.boolean(),
          }),
        )
        .meta({ description: 'For en fil: dens versioner.', examples: [[]] }),
      days: z.strictObject({ from: day, to: day }),
    })
    .meta({ description: 'Hvad filtrene betyder.' }),
}) satisfies z.ZodType<LogAnswer>

const id = z.int().positive().optional()
const date = z.string().optional().meta({ description: 'En dag, fx 31/12/2025 eller 2025-12-31.' })

/** As `readLogQuery` reads it. */
const QUERY = {
  person: id.meta({ description: 'Personen, der gjorde det, eller som det handlede om.' }),
  project: id.meta({ description: 'Projektets id.' }),
  file: id.meta({ description: 'Filens id.' }),
  act: z.enum(ACTS).optional().meta({ description: 'Hvad der skete.' }),
  period: z.enum(PERIODS).optional().meta({ description: 'En periode, der slutter nu. Ellers from og to.' }),
  from: date,
  to: date,
  page: id.meta({ description: 'Siden i listen, fra 1.' }),
} satisfies Record<keyof LogQuery, z.ZodType>

export const LIST_LOG = {
  scope: 'read',
  id: 'listLog',
  chapter: 'office',
  summary: 'List loggen',
  query: z.object(QUERY),
  answer: LogListAnswer,
  example: { query: { period: 'week' } },
} as const satisfies ProgramCall

const { file: _file, ...OF_A_FILE } = QUERY

export const LIST_FILE_HISTORY = {
  scope: 'read',
  id: 'listFileHistory',
  chapter: 'files',
  summary: 'List, hvad der er sket med en fil',
  says: 'Kun den, der må se hele loggen, får IP-adresser.',
  query: z.object(OF_A_FILE),
  answer: LogListAnswer,
} as const satisfies ProgramCall
