import { z } from 'zod'
import { HELD_NAMES } from '../files/file/stored-file.ts'
import { ROLES } from '../rights.ts'
import { count, moment, pageOf, rowId } from '../server/http/answers.ts'
import type { ProgramCall } from '../server/http/program-call.ts'
import { MOST_LETTERS } from './answer/most-letters.ts'
import { FILE_KINDS, FILES_A_PAGE, MOST_FOUND, type FileHit, type Question } from './answer/results.ts'
import type { SearchList } from './answer/search-answer.ts'

const text = z.string().meta({ examples: ['Budget'] })
const pieces = z
  .array(z.strictObject({ text: z.string(), isHit: z.boolean() }))
  .meta({ description: 'Teksten i stykker, og om hvert er det, der blev søgt efter.' })
const NamedProject = z.strictObject({ id: rowId, number: z.string(), name: z.string() })
const Named = z.strictObject({ id: rowId, name: z.string() })

const HitAnswer = z
  .strictObject({
    id: rowId,
    name: text,
    namePieces: pieces,
    path: z.string(),
    mime: z.string().meta({ examples: ['application/pdf'] }),
    year: z
      .int()
      .nullable()
      .meta({ description: 'Periodens år: det, regnskabsåret slutter i.', examples: [2025] }),
    size: count,
    created_at: moment,
    owner: z.union([z.strictObject({ project: rowId }), z.strictObject({ user: rowId })]),
    project: NamedProject.nullable(),
    user: Named.nullable(),
    folder: Named,
    lent_by: z
      .array(z.string())
      .meta({ description: 'For en rådgiver: hvem filen ses på vegne af. Tom for andre.', examples: [[]] }),
    held: z
      .enum(Object.keys(HELD_NAMES) as (keyof typeof HELD_NAMES)[])
      .nullable()
      .meta({ examples: [null] }),
    pages: z
      .array(z.strictObject({ page: z.int().positive(), pieces }))
      .meta({ description: 'De sider, der svarer bedst, højst tre.' }),
  })
  .meta({ id: 'FileHit', description: 'En fil, som søgningen fandt.' }) satisfies z.ZodType<FileHit>

const SearchAnswer = pageOf(HitAnswer).extend({
  about: z.strictObject({
    isMore: z.boolean().meta({ description: `Om der er flere end ${MOST_FOUND}.` }),
    isCut: z.boolean().meta({
      description:
        'Om søgningen stoppede, før al tekst var set igennem. Så kan sider mangle, og for en hel sætning også filer.',
    }),
    unread: count.meta({ description: 'Hvor mange filer hvis tekst ikke er læst endnu.' }),
    corrected: z
      .string()
      .nullable()
      .meta({ description: 'Ordene, hvis en tastefejl blev rettet.', examples: [null] }),
    facets: z.strictObject({
      projects: z.array(NamedProject.extend({ count })),
      folders: z.array(z.strictObject({ name: text, count })),
      years: z.array(z.strictObject({ year: z.int(), count })),
    }),
  }),
  places: z
    .strictObject({
      projects: z.array(NamedProject.extend({ cvr: z.string().nullable(), status: z.string() })),
      folders: z.array(z.strictObject({ id: rowId, name: text, project: NamedProject })),
      people: z.array(
        Named.extend({
          numbers: z.array(z.string()),
          role: z.enum(ROLES),
          email: z.string().nullable(),
        }),
      ),
    })
    .nullable()
    .meta({ description: 'Projekter, mapper og brugere; kun på den første side uden filtre.' }),
  picked: z.strictObject({ project: NamedProject.nullable(), by: Named.nullable() }),
}) satisfies z.ZodType<SearchList>

const id = z.int().positive().optional()
const line = z.string().max(MOST_LETTERS).optional()
const day = z.string().optional().meta({ description: 'En dag, fx 31/12/2025 eller 2025-12-31.' })

/** As `readSearch` reads it. */
const QUERY = {
  q: line.meta({ description: 'Ord i navnet eller i selve papiret. ”I gåseøjne” for en hel sætning.' }),
  project: id.meta({ description: 'Projektets id.' }),
  folder: line.meta({ description: 'Mappens navn.' }),
  year: z
    .int()
    .min(1800)
    .max(2199)
    .optional()
    .meta({ description: 'Periodens år: det, regnskabsåret slutter i.' }),
  type: z
    .enum(Object.keys(FILE_KINDS) as (keyof typeof FILE_KINDS)[])
    .optional()
    .meta({ description: 'Filtypen.' }),
  by: id.meta({ description: 'For kontoret: id på den, der uploadede.' }),
  from: day,
  to: day,
  page: z
    .int()
    .min(1)
    .max(MOST_FOUND / FILES_A_PAGE)
    .optional()
    .meta({ description: 'Siden i listen, fra 1.' }),
} satisfies Record<keyof Question, z.ZodType>

export const SEARCH = {
  scope: 'read',
  id: 'search',
  chapter: 'files',
  summary: 'Søg i filers navne og indhold',
  query: z.object(QUERY),
  answer: SearchAnswer,
  example: { query: { q: 'budget', year: '2025' } },
} as const satisfies ProgramCall
