import { z } from 'zod'
import { count } from '../../server/http/answers.ts'
import type { ProgramCall } from '../../server/http/program-call.ts'
import type { TemporaryFile } from './temporary-file.ts'

const hashName = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .meta({ description: 'Filens navn, mens den venter. Bruges i stedet for filen i et kald, der uploader.' })

const TemporaryAnswer = z
  .strictObject({
    name: z.string().meta({ examples: ['Årsrapport (1024) 2025.pdf'] }),
    size: count.meta({ description: 'I bytes.', examples: [48213] }),
    type: z.string().meta({ description: 'Filtypen, fundet i indholdet.', examples: ['application/pdf'] }),
    hash_name: hashName,
  })
  .meta({
    id: 'TemporaryFile',
    description: 'En fil, der venter et døgn på at blive gemt.',
  }) satisfies z.ZodType<TemporaryFile>

const RESUMABLE = { says: 'Altid 1.0.0.', isRequired: true, example: '1.0.0' }
const OFFSET = 'Hvor mange bytes serveren har.'

const large = { scope: 'upload', chapter: 'large' } as const

export const SEND_TEMPORARY = {
  ...large,
  id: 'sendFiles',
  summary: 'Send filer, der venter på at blive gemt',
  says: 'Til programmer, der vil sende filerne først og lægge dem på plads bagefter. Felterne hedder files[0], files[1] og så videre. Filerne venter i et døgn.',
  files: z.object({}),
  fileField: 'files[0]',
  answer: z.array(TemporaryAnswer),
} as const satisfies ProgramCall

export const CREATE_LARGE_FILE = {
  ...large,
  id: 'createLargeFile',
  summary: 'Begynd på en stor fil',
  says: 'Store filer kan sendes i stykker og fortsættes, hvor de slap, efter den åbne standard tus 1.0.0. Ethvert tus-program kan bruges.',
  headers: {
    'Tus-Resumable': RESUMABLE,
    'Upload-Length': { says: 'Filens størrelse i bytes.', isRequired: true, example: '10' },
    'Upload-Metadata': {
      says: 'filename og et mellemrum, og så filens navn i base64.',
      isRequired: true,
      example: 'filename c3Rvci5wZGY=',
    },
  },
  status: 201,
  answer: 'nothing',
  answerHeaders: {
    Location: { says: 'Hvor stykkerne sendes hen. Det sidste i adressen er filens hash_name.' },
    'Upload-Expires': { says: 'Hvor længe filen venter.' },
  },
} as const satisfies ProgramCall

export const SEND_PIECE = {
  ...large,
  id: 'sendPiece',
  summary: 'Send det næste stykke af en stor fil',
  headers: {
    'Tus-Resumable': RESUMABLE,
    'Upload-Offset': { says: 'Hvor i filen stykket begynder.', isRequired: true, example: '0' },
    'Upload-Checksum': { says: 'sha256 og stykkets SHA-256 i base64. Så opdages en fejl på vejen.' },
  },
  files: 'bytes',
  status: 204,
  answer: 'nothing',
  answerHeaders: { 'Upload-Offset': { says: OFFSET } },
} as const satisfies ProgramCall

export const ASK_LARGE_FILE = {
  ...large,
  id: 'askLargeFile',
  summary: 'Spørg, hvor langt en stor fil er nået',
  headers: { 'Tus-Resumable': RESUMABLE },
  answer: 'nothing',
  answerHeaders: {
    'Upload-Offset': { says: OFFSET },
    'Upload-Length': { says: 'Filens størrelse i bytes.' },
  },
} as const satisfies ProgramCall

export const DROP_LARGE_FILE = {
  ...large,
  id: 'dropLargeFile',
  summary: 'Opgiv en fil, der venter',
  status: 204,
  answer: 'nothing',
} as const satisfies ProgramCall
