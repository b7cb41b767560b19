import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { formatCount } from '../../base/danish/counts.ts'
import type { Parts } from '../../server/parts.ts'
import { cleanLine } from '../../base/text.ts'
import { mapInTurns } from '../../server/process/breather.ts'
import { FORM_BYTES } from '../../server/http/forms/form-body.ts'
import { userOf } from '../../server/http/permit.ts'
import { id, validate, validateMany } from '../../server/http/validate.ts'
import { urls } from '../../urls.ts'
import { findDuplicates } from './duplicates.db.ts'
import { proposeNames } from '../names/propose.db.ts'
import { resolve } from '../names/resolve.db.ts'

/** Answers an upload form's questions while it is being filled in. */
export function addResolving(app: FastifyInstance, { db, config }: Parts): void {
  const most = config.maxFilesPerSubmit
  const tooMany = `Der kan højst sendes ${formatCount(most)} filer ad gangen.`
  const text = z.string().max(255)
  const texts = z.array(text, { error: 'Feltet skal være en liste.' }).max(most, tooMany)
  const Names = z.object({
    folders: texts.default([]),
    keys: texts.default([]),
    /** Names that lead nowhere, for which better ones are wanted. */
    names: texts.default([]),
    /** The files that the form accepts; with `project` the number of the only one. */
    of: z.enum(['all', 'people', 'project'], { error: 'Feltet kan ikke læses.' }).default('all'),
    project: text.optional(),
  })
  const Candidates = z.object({ files: z.array(z.unknown()).max(most, tooMany) })
  const Candidate = z.object({
    id: z.string().regex(/^[\w-]{1,40}$/),
    name: text.transform(cleanLine),
    folder_id: id.optional(),
    user_id: id.optional(),
    data: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .optional(),
  })

  // A text has up to 255 letters, most of them of one byte.
  const resolving = {
    config: { right: 'changeFiles', mostFields: 3 * most + 100, takesAnyText: true },
    bodyLimit: 900 * most + FORM_BYTES,
  } as const
  const comparing = {
    config: { right: 'sendFiles', mostFields: 6 * most + 100, takesAnyText: true },
    bodyLimit: 800 * most + FORM_BYTES,
  } as const

  /** Answers for the given folders and keys only, not for all there are. */
  app.post(urls.resolveUpload, resolving, async (request, reply) => {
    const { folders, keys, names, of, project = '' } = validate(Names, request.body)
    const asked = {
      folders: await mapInTurns(folders, cleanLine),
      keys: await mapInTurns(keys, cleanLine),
    }
    const reader = userOf(request)
    const map = await resolve(db, reader, asked)
    if (names.length === 0) return reply.send(map)
    const taking = of === 'project' ? { of, number: project } : { of }
    const clean = await mapInTurns(names, cleanLine)
    return reply.send({ ...map, proposals: await proposeNames(db, reader, clean, taking) })
  })

  /** A file without a place goes to the sender's own files. */
  app.post(urls.findDuplicates, comparing, async (request, reply) => {
    const user = userOf(request)
    const { files } = await validateMany(Candidates, 'files', Candidate, request.body)
    const asked = files.map(([, { folder_id: folder, user_id: owner, ...file }]) => ({
      ...file,
      ...(folder === undefined ? { user_id: owner ?? user.id } : { folder_id: folder }),
    }))
    return reply.send({ data: await findDuplicates(db, user, asked) })
  })
}
