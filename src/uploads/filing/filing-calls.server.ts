import { z } from 'zod'
import { RELEASE_STATES } from '../../releases/release/release.ts'
import { PLACE, PlacedFileAnswer } from '../../files/calls/file-answers.server.ts'
import { count, rowId } from '../../server/http/answers.ts'
import type { ProgramCall } from '../../server/http/program-call.ts'
import { flag, id } from '../../server/http/validate.ts'
import { formOf } from '../form/upload-form.server.ts'

/** How many files one JSON call names. A form with the files themselves has as many as any upload form. */
const MOST_NAMED = 200

const { publish, publish_day: day, publish_time: time, acknowledged } = formOf(MOST_NAMED).shape

/** The fields beside the files, which are those of the upload form. A program's files are drafts unless it says otherwise. */
export const FilingFields = z.object({
  publish: publish.default('draft').meta({
    description:
      'draft (som standard): kun kontoret ser filerne, til nogen udgiver dem. now: de udgives, så snart de er læst og intet taler imod det. later: de udgives på publish_day.',
    examples: ['draft'],
  }),
  publish_day: day.meta({
    description: 'Med publish=later: dagen, fx 31/03/2026.',
    examples: ['31/03/2026'],
  }),
  publish_time: time.meta({
    description: 'Med publish=later: klokkeslættet, fx 09.00.',
    examples: ['09.00'],
  }),
  keep_identical: flag.meta({
    description: 'Gem også en fil, hvis indhold mappen allerede har. Ellers springes den over.',
  }),
  replaces: id
    .optional()
    .meta({ description: 'Id på den fil, som filen er en ny version af. Kun når der sendes én fil.' }),
  acknowledged: acknowledged.meta({
    description:
      'De modsigelser, som nogen har set, fx 0:year,0:cpr. Kommer fra contradictions i et svar med 409. 0:unreadable: filen udgives, selv om den ikke kan læses.',
  }),
})

const NamedFile = z.object({
  name: z
    .string()
    .max(255)
    .meta({ examples: ['Årsrapport (1024) 2025.pdf'] }),
  hash_name: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'Filen er ikke sendt endnu.')
    .meta({ description: 'Filens navn, mens den venter. Store filer sendes i stykker og får et.' }),
  replaces: id.optional().meta({ description: 'Id på den fil, som den er en ny version af.' }),
})

const NamedFiles = FilingFields.omit({ replaces: true }).extend({
  files: z
    .array(NamedFile, { error: 'Vælg mindst én fil.' })
    .min(1, 'Vælg mindst én fil.')
    .max(MOST_NAMED, `Der kan højst nævnes ${MOST_NAMED} filer ad gangen.`),
})

const FiledAnswer = z
  .strictObject({
    upload: z.string().meta({ description: 'Uploadens navn. Den samme Idempotency-Key giver det samme.' }),
    files: z.array(PlacedFileAnswer).meta({ description: 'De gemte filer, og hvor de ligger.' }),
    skipped: z
      .array(
        z.strictObject({
          ...PLACE,
          name: z.string(),
          twin: z.string().nullable().meta({ description: 'Den fil i mappen, som har det samme indhold.' }),
        }),
      )
      .meta({ description: 'De filer, der ikke blev gemt, fordi mappen har indholdet.', examples: [[]] }),
    deleted: count.meta({ description: 'Hvor mange af filerne der er slettet siden.', examples: [0] }),
    release: z
      .strictObject({ id: rowId, state: z.enum(RELEASE_STATES), can_regret: z.boolean() })
      .nullable()
      .meta({
        description: 'Udsendelsen. waiting: en kollega skal godkende den.',
        examples: [{ id: 5, state: 'draft', can_regret: false }],
      }),
    held: z
      .strictObject({ reading: count, doubt: count })
      .nullable()
      .meta({
        description:
          'Hvor mange af papirerne kun kontoret ser, selv om de er udgivet. reading: de udgives, når de er læst. doubt: en på kontoret skal se på dem, fordi de siger noget andet end deres plads eller ikke kan læses. Hver fils held siger det samme.',
        examples: [{ reading: 1, doubt: 0 }],
      }),
    page: z.string().meta({ description: 'Siden i Ringbind, der viser det samme.' }),
  })
  .meta({ id: 'Filed', description: 'Hvad der blev af de filer, der blev sendt.' })

/** The header with an example of a key: each call has another, so that all of them can be tried. */
const keyLike = (example: string) => ({
  'Idempotency-Key': {
    says: 'En tekst på højst 255 tegn, som programmet vælger, fx et UUID. Sendes det samme igen med samme nøgle, gemmes det ikke igen, og svaret er det samme.',
    example,
  },
})

const FILING = {
  scope: 'upload',
  chapter: 'uploads',
  files: FilingFields,
  body: NamedFiles,
  status: 201,
  answer: FiledAnswer,
  example: {
    body: {
      files: [{ name: 'Årsrapport (1024) 2025.pdf', hash_name: '0123456789abcdef0123456789abcdef' }],
      publish: 'draft',
    },
  },
  answerHeaders: { 'Idempotent-Replayed': { says: 'true, hvis filerne var gemt i forvejen.' } },
} as const satisfies Partial<ProgramCall>

/** Files that find their own place by their names. */
export const FILE_BY_NAME = {
  ...FILING,
  headers: keyLike('scanning-0001'),
  id: 'uploadFiles',
  summary: 'Upload filer, der lægges på plads efter deres navn',
  says: 'Navnet siger, hvor filen hører til, præcis som når man uploader i browseren: ”Årsrapport (1024) 2025.pdf” lægges i mappen Årsrapport i projekt 1024. Passer et navn ikke, gemmes ingen af filerne, og svaret siger hvorfor. Send gerne flere filer i samme kald, så bliver de til én udsendelse.',
  example: { ...FILING.example, fields: { publish: 'draft' } },
} as const satisfies ProgramCall

export const FILE_IN_FOLDER = {
  ...FILING,
  headers: keyLike('bilag-0001'),
  id: 'uploadFilesToFolder',
  summary: 'Upload filer til en mappe',
  says: 'Filerne lægges i mappen, uanset hvad de hedder.',
} as const satisfies ProgramCall

export const FILE_WITH_USER = {
  ...FILING,
  headers: keyLike('kapitalkonto-2001-2025'),
  id: 'uploadFilesToUser',
  summary: 'Upload filer til en investor',
  says: 'Kontoret lægger filer hos en investor. En investor sender sine egne PDF’er til kontoret; så har publish ingen betydning.',
} as const satisfies ProgramCall
