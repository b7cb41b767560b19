import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { ownerOf, answerChange } from '../../files/change/change.routes.ts'
import { FolderAnswer, CHANGE_FIELDS } from '../../files/calls/file-answers.server.ts'
import { ofOwner } from '../../files/calls/file-calls.server.ts'
import type { Parts } from '../../server/parts.ts'
import { editIn, WAS } from '../../server/edits.ts'
import { idIn } from '../../server/http/ids.ts'
import { bodyIn, type ProgramCall } from '../../server/http/program-call.ts'
import { fileUrls, type Owner } from '../../urls.ts'
import { cleanFileName, isTooLong, isUnfit, MOST_LETTERS, unfitText } from '../../files/names/file-name.ts'
import { renameFile } from './rename.db.ts'

const MISSING = 'Navnet skal udfyldes.'

/** The same rules as for the names of uploads. */
const Rename = z.object({
  name: z
    .string({ error: MISSING })
    .refine((name) => !isTooLong(name), {
      error: `Navnet må højst være på ${MOST_LETTERS} tegn.`,
      abort: true,
    })
    .refine((name) => !isUnfit(name), { error: (issue) => unfitText(String(issue.input)), abort: true })
    .transform(cleanFileName)
    .refine((name) => name !== '', { error: MISSING, abort: true })
    .refine((name) => name !== '.' && name !== '..', { error: 'Navnet kan ikke bruges til en fil.' })
    .meta({ description: 'Det nye navn, med samme endelse.' }),
  was: WAS,
})

const RENAME_FILE = {
  scope: 'manage',
  id: 'renameOwnerFile',
  chapter: 'changes',
  summary: 'Omdøb en fil hos en ejer',
  body: Rename,
  answer: z.strictObject({
    ...CHANGE_FIELDS,
    elsewhere: FolderAnswer.nullable().meta({
      description: 'Mappen, som det nye navn hører til i, hvis det er en anden. Filen flyttes ikke.',
      examples: [null],
    }),
  }),
  example: { body: { name: 'Budget (1024) 2025 endelig.pdf' } },
} as const satisfies ProgramCall

type Address = { Params: { project?: string; user?: string; file: string } }

/** Adds the routes that rename a file of a project or a person. */
export function addRenaming(app: FastifyInstance, { db }: Parts): void {
  const optionsOf = (owner: Owner) => ({
    config: { right: 'changeFiles' as const, program: ofOwner(owner, RENAME_FILE) },
  })
  const add = (owner: Owner) =>
    app.post<Address>(fileUrls.rename(owner, ':file'), optionsOf(owner), (request) =>
      answerChange(() => {
        const { name } = bodyIn(request, RENAME_FILE)
        const edit = editIn(request.body)
        return renameFile(db, visitOf(request), ownerOf(request), idIn(request.params.file), name, edit)
      }),
    )
  add({ project: ':project' })
  add({ user: ':user' })
}
