import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { visitOf } from '../../access/visit.routes.ts'
import { ownerOf, told } from '../../files/change/change.routes.ts'
import type { Parts } from '../../server/parts.ts'
import { idIn } from '../../server/http/ids.ts'
import { validate } from '../../server/http/validate.ts'
import { fileUrls, type Owner } from '../../urls.ts'
import { cleanFileName, isTooLong, isUnfit, MOST_LETTERS, unfitText } from './file-name.ts'
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
    .refine((name) => name !== '.' && name !== '..', { error: 'Navnet kan ikke bruges til en fil.' }),
})

type Address = { Params: { project?: string; user?: string; file: string } }

/** Adds the routes that rename a file of a project or a person. */
export function addRenaming(app: FastifyInstance, { db }: Parts): void {
  const add = (owner: Owner) =>
    app.post<Address>(fileUrls.rename(owner, ':file'), { config: { right: 'changeFiles' } }, (request) =>
      told(() => {
        const { name } = validate(Rename, request.body)
        return renameFile(db, visitOf(request), ownerOf(request), idIn(request.params.file), name)
      }),
    )
  add({ project: ':project' })
  add({ user: ':user' })
}
