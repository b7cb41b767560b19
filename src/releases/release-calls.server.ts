import { z } from 'zod'
import { count, moment, pageOf, rowId } from '../server/http/answers.ts'
import type { ProgramCall } from '../server/http/program-call.ts'
import {
  MAIL_TEXTS,
  PERSON_COLUMNS,
  PERSON_FILTERS,
  RELEASE_STATES,
  type ReleasePerson,
  type ReleaseRow,
} from './release/release.ts'

const ReleaseAnswer = z
  .strictObject({
    id: rowId.meta({ examples: [1] }),
    name: z.string().meta({
      description: 'Kontorets navn for den, eller et, der er lavet af dens papirer.',
      examples: ['Årsrapport 2025 · 46 projekter'],
    }),
    state: z.enum(RELEASE_STATES).meta({ examples: ['published'] }),
    made_at: moment,
    made_by: z.string().meta({ examples: ['Mads Thorup'] }),
    publish_at: moment.nullable().meta({ description: 'Hvornår den er planlagt til.', examples: [null] }),
    published_at: moment.nullable(),
    files_count: count,
    place: z
      .string()
      .nullable()
      .meta({
        description: 'Det første projekt eller den første person.',
        examples: ['K/S Nordhavn Kontorhus'],
      }),
    places: count.meta({ description: 'Hvor mange projekter og personer filerne hører til.' }),
    reached: count.nullable().meta({ description: 'Hvor mange der kunne se noget af den.' }),
    opened: count.meta({ description: 'Hvor mange der har åbnet noget af den.' }),
  })
  .meta({ id: 'Release', description: 'En udsendelse.' }) satisfies z.ZodType<ReleaseRow>

const PersonAnswer = z
  .strictObject({
    id: rowId,
    name: z.string().meta({ examples: ['Søren Kjærgaard'] }),
    files: count.meta({ description: 'Hvor mange af filerne personen kan se.' }),
    opened: count,
    opened_at: moment.nullable(),
    never_in: z.boolean().meta({ description: 'Har endnu ikke valgt en adgangskode.' }),
    is_invited: z
      .boolean()
      .meta({ description: 'Kontoret har inviteret personen. Ellers sendes ingen mails.' }),
    mail: z
      .enum(Object.keys(MAIL_TEXTS) as (keyof typeof MAIL_TEXTS)[])
      .nullable()
      .meta({ description: 'Hvad der blev af mailen til personen.', examples: ['sent'] }),
    told_at: moment.nullable(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Hvorfor mailen ikke kom frem.', examples: [null] }),
    named: z.array(z.strictObject({ id: rowId, name: z.string(), opened_at: moment.nullable() })),
  })
  .meta({
    id: 'ReleasePerson',
    description: 'En person, som en udsendelse når.',
  }) satisfies z.ZodType<ReleasePerson>

const read = { scope: 'read', chapter: 'office' } as const

export const LIST_RELEASES = {
  ...read,
  id: 'listReleases',
  summary: 'List udsendelser',
  list: {},
  answer: pageOf(ReleaseAnswer),
} as const satisfies ProgramCall

export const LIST_RELEASE_PEOPLE = {
  ...read,
  id: 'listReleasePeople',
  summary: 'List dem, som en udsendelse når',
  says: 'Og hvem af dem der har åbnet noget.',
  list: { columns: PERSON_COLUMNS, filters: Object.keys(PERSON_FILTERS) },
  answer: pageOf(PersonAnswer),
} as const satisfies ProgramCall
