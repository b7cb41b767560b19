import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Parts } from '../app.ts'
import { listFolderOptions } from '../files/files.db.ts'
import { addressOf } from '../server/address.ts'
import { getProject, type Reader } from '../projects/projects.db.ts'
import { notFound } from '../server/errors.ts'
import { idIn } from '../server/ids.ts'
import { userOf } from '../server/permit.ts'
import { submit } from '../server/submit.ts'
import { line, validate } from '../server/validate.ts'
import { folderAnchor, urls } from '../urls.ts'
import { storeSubmission } from './submissions.db.ts'

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const UNFIT = /[/\\\0-\x1f\x7f]/

const fileName = z
  .string({ error: 'Filnavnet skal udfyldes.' })
  .refine((name) => !UNFIT.test(name), {
    error: 'Filnavnet må ikke indeholde skråstreger eller styretegn.',
    abort: true,
  })
  .pipe(line('Filnavnet', 255))
  .refine((name) => name !== '.' && name !== '..', { error: 'Filen skal have et navn.' })

const Entry = z.object({
  name: fileName,
  data: z
    .string({ error: 'Filen er ikke sendt endnu.' })
    .regex(/^[0-9a-f]{32}$/, 'Filen er ikke sendt endnu.'),
})

const formOf = (most: number) =>
  z.object({
    submission: z
      .string()
      .regex(/^[\w-]{8,64}$/, 'Formularens nummer kan ikke læses.')
      .optional(),
    files: z
      .record(z.string().regex(/^[a-z0-9]{1,40}$/, 'Filens nummer kan ikke læses.'), Entry, {
        error: 'Vælg mindst én fil.',
      })
      .refine((files) => Object.keys(files).length > 0, { error: 'Vælg mindst én fil.' })
      .refine((files) => Object.keys(files).length <= most, {
        error: `Der kan højst sendes ${most} filer ad gangen.`,
      }),
  })

type Address = { Params: { project: string; folder: string } }

/** The upload forms. */
export function addUploads(app: FastifyInstance, { db, config }: Parts): void {
  const change = { config: { right: 'changeFiles' } } as const
  const Form = formOf(config.maxFilesPerSubmit)
  const limits = { bytes: config.maxFileBytes, files: config.maxFilesPerSubmit }

  async function targetOf(reader: Reader, { project: projectId, folder: folderId }: Address['Params']) {
    const project = await getProject(db, reader, idIn(projectId))
    const folders = await listFolderOptions(db, reader, project.id)
    const folder = folders.find(({ id }) => id === idIn(folderId))
    if (!folder) throw notFound('Mappen findes ikke.')
    return { project, folder }
  }

  app.get<Address>(urls.uploadTo(':project', ':folder'), change, async (request, reply) => {
    const { project, folder } = await targetOf(userOf(request), request.params)
    return reply.page('upload', { project, folder, limits }, `Upload til ${folder.name}`)
  })

  app.post<Address>(urls.uploadTo(':project', ':folder'), change, async (request, reply) => {
    const user = userOf(request)
    const { project, folder } = await targetOf(user, request.params)
    return submit(request, reply, async () => {
      const { submission = randomUUID(), files } = validate(Form, request.body)
      const entries = Object.entries(files).map(([id, { name, data }]) => ({
        id,
        name,
        hashName: data,
        folderId: folder.id,
      }))
      await storeSubmission(db, { userId: user.id, address: addressOf(request) }, submission, entries)
      return `${urls.files(project.id)}?open=${folder.id}#${folderAnchor(folder.id)}`
    })
  })
}
