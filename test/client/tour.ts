// A tour of the API with a client whose types are generated from the description: see test/release/client.test.ts. It is
// checked by tsc against those types, and run against a real server.
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

declare const process: { argv: string[] }

const [root = '', token = ''] = process.argv.slice(2)
const api = createClient<paths>({ baseUrl: root, headers: { Authorization: `Bearer ${token}` } })

/** Returns the answer, or throws what the server says against it. */
function got<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  if (!response.ok || data === undefined)
    throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`)
  return data
}

function done({ error, response }: { error?: unknown; response: Response }): Response {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`)
  return response
}

function first<Row>(rows: readonly Row[], what: string): Row {
  const [row] = rows
  if (row === undefined) throw new Error(`There is no ${what}.`)
  return row
}

/** The client sends bodies as JSON by default. */
const asForm = (
  files: [field: string, name: string, text: string][],
  fields: Record<string, string> = {},
) => {
  const form = new FormData()
  for (const [field, name, text] of files) form.append(field, new Blob([text]), name)
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return () => form
}

async function readAll() {
  const me = got(await api.GET('/api/me'))
  if (!me.scopes?.includes('manage')) throw new Error('The key cannot change anything.')
  got(await api.GET('/api/openapi.json'))
  const query = { q: 'nordhavn', 'sort[column]': 'name', 'sort[direction]': 'asc' } as const
  const project = first(got(await api.GET('/api/projects', { params: { query } })).data, 'project').id
  const inProject = { params: { path: { project } } }
  const { folders } = got(await api.GET('/api/projects/{project}/folders', inProject))
  const names = got(await api.GET('/api/projects/{project}/folder-options', inProject)).data
  const [from, to] = ['Budget', 'Diverse'].map(
    (name) =>
      first(
        names.filter((each) => each.name === name),
        name,
      ).id,
  )
  if (from === undefined || to === undefined || folders.length !== names.length)
    throw new Error('Folders differ.')
  const users = got(await api.GET('/api/users', { params: { query: { 'sort[column]': 'name' } } })).data
  const [user, other] = users.filter(({ role }) => role === 'investor').map(({ id }) => id)
  if (user === undefined || other === undefined) throw new Error('There are no investors.')
  const ofUser = { params: { path: { user } } }
  got(await api.GET('/api/users/{user}/report', ofUser))
  got(await api.GET('/api/search', { params: { query: { q: 'budget', type: 'pdf' } } }))
  got(await api.GET('/api/log', { params: { query: { period: 'week' } } }))
  got(await api.GET('/api/inbox/{filter}', { params: { path: { filter: 'all' } } }))
  return { project, from, to, user, other, inProject, ofUser }
}

type Office = Awaited<ReturnType<typeof readAll>>

/** Uploads in every way, and the same thing twice. */
async function upload({ project, from, user }: Office) {
  const header = { 'Idempotency-Key': 'rundtur-1' }
  const send = () =>
    api.POST('/api/uploads', {
      params: { header },
      body: { file: [] },
      bodySerializer: asForm([['file', 'Budget (1024) 2031.pdf', '%PDF-1.7 budget']]),
    })
  const filed = got(await send())
  const again = await send()
  if (got(again).upload !== filed.upload || again.response.headers.get('idempotent-replayed') !== 'true')
    throw new Error('The same call was stored twice.')
  if (filed.release?.state !== 'draft') throw new Error('What a program sends is a draft.')
  const file = first(filed.files, 'stored file').id

  const [temporary] = got(
    await api.POST('/api/temp/upload', {
      body: { 'files[0]': [] },
      bodySerializer: asForm([['files[0]', 'a.pdf', '%PDF-1.7 ventende']]),
    }),
  )
  const named = got(
    await api.POST('/api/projects/{project}/folder/{folder}/files', {
      params: { path: { project, folder: from } },
      body: { files: [{ name: 'Ventende.pdf', hash_name: temporary!.hash_name }], publish: 'now' },
    }),
  )
  const own = got(
    await api.POST('/api/users/{user}/files', {
      params: { path: { user } },
      body: { file: [] },
      bodySerializer: asForm([['file', 'Kapitalkonto.pdf', '%PDF-1.7 konto']], { publish: 'now' }),
    }),
  )
  const { total } = got(await api.GET('/api/releases')).meta
  if (total < 3) throw new Error('Every upload is a release.')
  const release = named.release?.id ?? 0
  got(
    await api.GET('/api/releases/{release}/people', {
      params: { path: { release }, query: { filter: 'unopened' } },
    }),
  )
  return { file, second: first(named.files, 'named file').id, userFile: first(own.files, 'own file').id }
}

async function sendLargeFile({ project, from }: Office) {
  const bytes = new TextEncoder().encode('%PDF-1.7 i to stykker')
  const made = done(
    await api.POST('/api/temp/tus', {
      params: {
        header: {
          'Tus-Resumable': '1.0.0',
          'Upload-Length': String(bytes.length),
          'Upload-Metadata': `filename ${btoa('stor.pdf')}`,
        },
      },
    }),
  )
  const hash = made.headers.get('location')!.split('/').at(-1)!
  const at = { path: { hash } }
  for (const [start, end] of [
    [0, 8],
    [8, bytes.length],
  ] as const)
    done(
      await api.PATCH('/api/temp/tus/{hash}', {
        params: { ...at, header: { 'Tus-Resumable': '1.0.0', 'Upload-Offset': String(start) } },
        headers: { 'Content-Type': 'application/offset+octet-stream' },
        body: '',
        bodySerializer: () => bytes.slice(start, end),
      }),
    )
  const asked = done(
    await api.HEAD('/api/temp/tus/{hash}', { params: { ...at, header: { 'Tus-Resumable': '1.0.0' } } }),
  )
  if (asked.headers.get('upload-offset') !== String(bytes.length)) throw new Error('Pieces are missing.')
  got(
    await api.POST('/api/projects/{project}/folder/{folder}/files', {
      params: { path: { project, folder: from } },
      body: { files: [{ name: 'Stor.pdf', hash_name: hash }] },
    }),
  )
  const [dropped] = got(
    await api.POST('/api/temp/upload', {
      body: { 'files[0]': [] },
      bodySerializer: asForm([['files[0]', 'b.pdf', '%PDF-1.7 fortrudt']]),
    }),
  )
  done(await api.DELETE('/api/temp/tus/{hash}', { params: { path: { hash: dropped!.hash_name } } }))
}

type Files = Awaited<ReturnType<typeof upload>>

async function change({ project, from, to, inProject }: Office, { file, second }: Files) {
  const ofFile = { params: { path: { project, file } } }
  const ofFolder = { params: { path: { project, folder: from } } }
  const listed = got(await api.GET('/api/projects/{project}/folder/{folder}/files', ofFolder)).data
  const content = await api.GET('/api/files/{file}/content', {
    params: { path: { file } },
    parseAs: 'text',
  })
  if (got(content) !== '%PDF-1.7 budget') throw new Error('The bytes are other than those that were sent.')
  const newOrder = listed.map(({ id }) => id).reverse()
  got(
    await api.POST('/api/projects/{project}/folder/{folder}/update-order', {
      ...ofFolder,
      body: { newOrder },
    }),
  )
  got(
    await api.POST('/api/projects/{project}/folder/{folder}/sort', {
      ...ofFolder,
      body: { by: 'name', direction: 'asc' },
    }),
  )
  got(
    await api.POST('/api/projects/{project}/file/{file}/rename', {
      ...ofFile,
      body: { name: 'Budget 2031.pdf' },
    }),
  )
  got(await api.POST('/api/projects/{project}/file/{file}/period', { ...ofFile, body: { period: '2030' } }))
  got(
    await api.POST('/api/projects/{project}/files/move', {
      ...inProject,
      body: { files: [file], folder_id: to },
    }),
  )
  const body = { files: [file, second] }
  const { undo } = got(await api.POST('/api/projects/{project}/files/delete', { ...inProject, body }))
  if (got(await api.GET('/api/projects/{project}/trash', inProject)).meta.total !== 2)
    throw new Error('The trash has other files.')
  got(await api.POST('/api/projects/{project}/files/restore', { ...inProject, body }))
  got(await api.DELETE('/api/projects/{project}/file/{file}', ofFile))
  got(await api.POST('/api/projects/{project}/file/{file}/restore', ofFile))
  const deleted = got(await api.DELETE('/api/projects/{project}/file/{file}', ofFile))
  if (!undo || !deleted.undo) throw new Error('A deletion cannot be undone.')
  got(await api.POST('/api/undo/{undo}', { params: { path: { undo: deleted.undo } } }))
  got(await api.GET('/api/files/{file}/history', { params: { path: { file } } }))
}

/** The same for the files of a person. */
async function changeTheirs({ user, other, ofUser }: Office, { userFile: file }: Files) {
  const ofFile = { params: { path: { user, file } } }
  const folder = first(got(await api.GET('/api/users/{user}/folders', ofUser)).data, 'folder of a user').id
  const ofFolder = { params: { path: { user, folder } } }
  got(await api.GET('/api/users/{user}/folder/{folder}/files', ofFolder))
  const newOrder = got(await api.GET('/api/users/{user}/files', ofUser)).data.map(({ id }) => id)
  got(await api.POST('/api/users/{user}/folder/{folder}/update-order', { ...ofFolder, body: { newOrder } }))
  got(
    await api.POST('/api/users/{user}/folder/{folder}/sort', {
      ...ofFolder,
      body: { by: 'date', direction: 'desc' },
    }),
  )
  got(await api.POST('/api/users/{user}/file/{file}/rename', { ...ofFile, body: { name: 'Konto.pdf' } }))
  got(await api.POST('/api/users/{user}/file/{file}/period', { ...ofFile, body: { as_named: true } }))
  got(await api.DELETE('/api/users/{user}/file/{file}', ofFile))
  got(await api.GET('/api/users/{user}/trash', ofUser))
  got(await api.POST('/api/users/{user}/file/{file}/restore', ofFile))
  got(await api.POST('/api/users/{user}/files/delete', { ...ofUser, body: { files: [file] } }))
  got(await api.POST('/api/users/{user}/files/restore', { ...ofUser, body: { files: [file] } }))
  got(await api.POST('/api/users/{user}/files/move', { ...ofUser, body: { files: [file], user_id: other } }))
}

/** An error has a code and faults at its fields, and the types know them. */
async function fail({ inProject }: Office) {
  const { error, response } = await api.POST('/api/projects/{project}/files/delete', {
    ...inProject,
    body: { files: [] },
  })
  if (response.status !== 422 || error?.code !== 'invalid' || !error.errors?.files)
    throw new Error('A wrong call was not refused.')
}

const office = await readAll()
const files = await upload(office)
await sendLargeFile(office)
await change(office, files)
await changeTheirs(office, files)
await fail(office)
console.log('The tour is over.')
