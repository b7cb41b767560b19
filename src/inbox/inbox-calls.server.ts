import { z } from 'zod'
import { HELD_NAMES } from '../files/file/stored-file.ts'
import { count, moment, pageOf, rowId } from '../server/http/answers.ts'
import type { ProgramCall } from '../server/http/program-call.ts'
import type { InboxCounts, InboxItem } from './inbox.ts'

const Named = z.strictObject({ id: rowId, name: z.string().meta({ examples: ['Søren Kjærgaard'] }) })

const FileAnswer = z.strictObject({
  id: rowId,
  name: z.string(),
  path: z.string(),
  owner: z.union([z.strictObject({ user: rowId }), z.strictObject({ project: rowId })]),
  in_trash: z.boolean(),
  moved_to: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
  held: z
    .enum(Object.keys(HELD_NAMES) as (keyof typeof HELD_NAMES)[])
    .nullable()
    .meta({ description: 'Hvorfor kun kontoret ser den.', examples: [null] }),
})

const IntakeAnswer = z
  .strictObject({
    source: z.enum(['directory', 'mailbox']),
    sender: z.string().meta({ description: 'Som den er angivet; ingen har bevist den.', examples: [''] }),
    subject: z.string().meta({ examples: [''] }),
    note: z.string().meta({ description: 'Mailens tekst.', examples: [''] }),
    pictures: count.meta({ examples: [0] }),
    untaken: z.array(z.strictObject({ name: z.string(), why: z.string() })),
    files: z.array(
      z.strictObject({
        id: rowId,
        name: z.string(),
        size: count,
        state: z.enum(['waiting', 'filed', 'removed']),
        filed: FileAnswer.nullable(),
      }),
    ),
    waiting: count,
    total: count,
  })
  .meta({ description: 'Hvad en scanner eller en mail har indleveret.', examples: [null] })

const ItemAnswer = z
  .strictObject({
    id: rowId,
    sender: Named.nullable(),
    intake: IntakeAnswer.nullable().meta({ examples: [null] }),
    sent_at: moment,
    files: z.array(FileAnswer).meta({ description: 'De første filer.' }),
    left: count,
    in_trash: count.meta({ examples: [0] }),
    gone: count.meta({ examples: [0] }),
    state: z.enum(['new', 'taken', 'done']),
    by: Named.nullable().meta({ description: 'Hvem der har taget den.', examples: [null] }),
    at: moment.nullable().meta({ examples: [null] }),
  })
  .meta({
    id: 'InboxItem',
    description: 'Noget, en investor har sendt, eller en indlevering.',
  }) satisfies z.ZodType<InboxItem>

const CountsAnswer = z.strictObject({ new: count, mine: count }) satisfies z.ZodType<InboxCounts>

export const LIST_INBOX = {
  scope: 'read',
  id: 'listInbox',
  chapter: 'office',
  summary: 'List indbakken',
  list: {},
  answer: pageOf(ItemAnswer).extend({ counts: CountsAnswer }),
} as const satisfies ProgramCall
