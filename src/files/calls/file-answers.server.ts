import { z } from 'zod'
import { count, moment, rowId } from '../../server/http/answers.ts'
import {
  HELD_NAMES,
  type DeletedFile,
  type FilePlace,
  type FolderLink,
  type FolderOption,
  type FolderSection,
  type StoredFile,
} from '../file/stored-file.ts'

const held = z.enum(Object.keys(HELD_NAMES) as (keyof typeof HELD_NAMES)[])

const FILE = {
  id: rowId.meta({ examples: [812] }),
  name: z.string().meta({ examples: ['Årsrapport (1024) 2025.pdf'] }),
  path: z.string().meta({ description: 'En del af filens adresse i browseren.' }),
  size: count.meta({ description: 'I bytes.', examples: [48213] }),
  created_at: moment,
  year: z
    .int()
    .nullable()
    .meta({ description: 'Periodens år: det, regnskabsåret slutter i.', examples: [2025] }),
  period: z
    .string()
    .nullable()
    .meta({ description: 'Kun for kontoret: perioden, fx 2025 eller 2025-Q3.', examples: ['2025'] }),
  is_period_given: z.boolean().meta({ description: 'Om perioden er en anden, end navnet siger.' }),
  mime: z.string().meta({ description: 'Filtypen, fundet i indholdet.', examples: ['application/pdf'] }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: 'Indholdets SHA-256.' }),
  is_new: z.boolean().meta({ description: 'Om filen er ny for læseren. Altid false for kontoret.' }),
  is_version: z.boolean().meta({ description: 'Om andre har set et ældre indhold.' }),
  from_investor: z.boolean().meta({ description: 'Om en investor har sendt den.' }),
  held: held
    .nullable()
    .meta({ description: 'Hvorfor kun kontoret ser filen; null hvis andre gør.', examples: [null] }),
  waiting: z
    .enum(['draft', 'planned', 'waiting'])
    .nullable()
    .meta({ description: 'Om en ny version venter på at blive udgivet.', examples: [null] }),
  is_asked: z.boolean().meta({
    description: 'Om et ønske om filen, for eksempel en flytning, venter på en kollegas godkendelse.',
  }),
}

export const FileAnswer = z
  .strictObject(FILE)
  .meta({ id: 'File', description: 'En fil.' }) satisfies z.ZodType<StoredFile>

const FOLDER = {
  id: rowId.meta({ examples: [34] }),
  name: z.string().meta({ examples: ['Årsrapport'] }),
  visible_to_investors: z.boolean().meta({ description: 'Om mappen deles med investorer.' }),
}

export const FolderAnswer = z
  .strictObject(FOLDER)
  .meta({ id: 'Folder', description: 'En mappe.' }) satisfies z.ZodType<FolderOption>

export const SectionAnswer = z
  .strictObject({
    ...FOLDER,
    files_count: count,
    new_count: count,
    files: z.array(FileAnswer).meta({ description: 'De første filer.' }),
    new_files: z.array(FileAnswer).meta({ description: 'Andre filer, der er nye for læseren.' }),
  })
  .meta({
    id: 'FolderSection',
    description: 'En mappe med dens første filer.',
  }) satisfies z.ZodType<FolderSection>

export const FolderLinkAnswer = z
  .strictObject({
    ...FOLDER,
    files_count: count,
    new_count: count,
    page: z.int().positive().meta({ description: 'Den side af listen, som har mappen.' }),
  })
  .meta({
    id: 'FolderLink',
    description: 'En mappe, og hvor i listen den er.',
  }) satisfies z.ZodType<FolderLink>

export const PLACE = {
  folder: FolderAnswer,
  project: z
    .strictObject({ id: rowId, number: z.string(), name: z.string(), has_auditor: z.boolean() })
    .nullable()
    .meta({
      description: 'Projektet, hvis filen hører til et.',
      examples: [{ id: 12, number: '1024', name: 'K/S Nordhavn Kontorhus', has_auditor: true }],
    }),
  user: z
    .strictObject({
      id: rowId,
      name: z.string(),
      readers: z
        .array(z.string())
        .meta({ description: 'Hvem personen har givet adgang til sine egne filer.', examples: [[]] }),
    })
    .nullable()
    .meta({ description: 'Personen, hvis det er en persons egen fil.', examples: [null] }),
  lent_by: z
    .array(z.string())
    .meta({ description: 'For en rådgiver: hvem filen ses på vegne af. Tom for andre.', examples: [[]] }),
}
z.strictObject(PLACE) satisfies z.ZodType<FilePlace>

/** A file, and where it is. */
export const PlacedFileAnswer = z
  .strictObject({ ...FILE, ...PLACE })
  .meta({ id: 'PlacedFile', description: 'En fil, og hvor den ligger.' })

export const DeletedFileAnswer = z
  .strictObject({
    ...FILE,
    folder: FolderAnswer,
    deleted_at: moment,
    deleted_by: z
      .string()
      .nullable()
      .meta({ description: 'Hvem der slettede den.', examples: ['Mads Thorup'] }),
  })
  .meta({ id: 'DeletedFile', description: 'En fil i papirkurven.' }) satisfies z.ZodType<DeletedFile>

export const CHANGE_FIELDS = {
  success: z.boolean().meta({ examples: [true] }),
  undo: z
    .uuid()
    .nullable()
    .meta({ description: 'Med den kan ændringen fortrydes i et døgn; null hvis intet blev ændret.' }),
  asked: z
    .string()
    .optional()
    .meta({
      description:
        'Siger, at intet er ændret endnu, fordi en kollega skal godkende det. undo tager det tilbage.',
      examples: ['Venter på godkendelse.'],
    }),
}

/** The answer to an act on files. */
export const ChangeAnswer = z
  .strictObject(CHANGE_FIELDS)
  .meta({ id: 'Changed', description: 'Svaret på en ændring.' })
