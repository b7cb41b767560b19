import { fileUrls, urls } from '../../src/urls.ts'
import type { Asked } from '../measure/asked.ts'
import { openFilesOffice, type FilesOffice } from '../office/files-office.ts'
import { measureCost, type Cost } from '../measure/processor.ts'
import { BARE_NAMES, GIB, many, SMALL, startBares, type Bare, type Bares } from './bare-acts.ts'
import { figure, median, type Result } from '../measure/result.ts'
import { call, sendByMultipart, sendByTus, sendInBatches, submit } from '../office/send.ts'

const ROUNDS = 3
const LARGE = GIB / 4
/** How many bare acts are measured, at least. */
const LEAST_BARE = 400
const FOLDERS = 20
const FILES = 5

type Act = {
  what: string
  /** The most that it may cost, in milliseconds of processor. */
  most: number
  bare: Bare
  /** How many acts one round does. */
  times: number
  /** Does all acts of a round. */
  run: (round: number) => Promise<unknown>
}

/**
 * Measures what each daily act costs the processor, in Node and in PostgreSQL, beside the least possible. With `words`,
 * only acts that have one of them in their name.
 */
export async function measure({ words }: Asked): Promise<Result[]> {
  await using office = await openFilesOffice(
    Array.from({ length: 10 }, () => Array.from({ length: FOLDERS }, () => FILES)),
    { MAX_FILE_BYTES: String(GIB), TEMPORARY_BYTES_PER_USER: String(10 * GIB) },
  )
  await using bares = await startBares(office)
  const results: Result[] = []
  const acts = await listActs(office)
  const wanted = acts.filter(({ what }) => words.length === 0 || words.some((word) => what.includes(word)))
  if (wanted.length === 0)
    throw new Error(`There is no such act, only: ${acts.map(({ what }) => what).join('; ')}.`)
  for (const act of wanted) results.push(await measureAct(office, bares, act))
  return results
}

async function measureAct(office: FilesOffice, bares: Bares, act: Act): Promise<Result> {
  const [ours, theirs]: [Cost[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const cost = await measureCost([office.pid], act.times, () => act.run(round))
    // Linux counts in hundredths of a second: a few bare changes would cost nothing.
    const bare = await bares.cost(act.bare, act.times < 1 ? act.times : Math.max(act.times, LEAST_BARE))
    if (round === 0) continue // warming up
    ours.push(cost)
    theirs.push(bare)
  }
  const node = median(ours.map((cost) => cost.node))
  const postgres = median(ours.map((cost) => cost.postgres))
  const sum = median(ours.map((cost) => cost.node + cost.postgres))
  const bare = median(theirs)
  return {
    what: act.what,
    value: sum,
    unit: 'ms',
    note: `Node ${figure(node)}, PostgreSQL ${figure(postgres)}`,
    parts: { node, postgres },
    limit: { what: BARE_NAMES[act.bare], value: bare },
    aim: { value: act.most },
  }
}

async function listActs(office: FilesOffice): Promise<Act[]> {
  return [...(await readingActs(office)), ...sendingActs(office), ...(await changingActs(office))]
}

/** The form that sends files to the first folder. */
const formOf = ({ url, projectIds, folderId }: FilesOffice) =>
  url + urls.uploadTo(projectIds[0]!, folderId(0, 0))

async function readingActs(office: FilesOffice): Promise<Act[]> {
  const { url, headers, projectIds } = office
  const { cookie } = headers
  const projectOf = (round: number) => projectIds[round % projectIds.length]!
  await submit(
    formOf(office),
    headers,
    await sendInBatches(url, headers, [{ name: 'Hentes.bin', size: SMALL }]),
  )
  const stored = await pathOf(office, 'Hentes.bin')
  const download = url + fileUrls.download({ project: projectIds[0]! }, stored)
  const etag = String((await call(download, 'GET', { cookie })).headers.etag)
  const get = (path: (round: number) => string, more: Record<string, string> = {}) => ({
    times: 400,
    run: () => many(400, (index) => call(url + path(index), 'GET', { cookie, ...more })),
  })
  return [
    {
      what: `the file list, ${FOLDERS} × ${FILES} files, HTML with Brotli`,
      most: 6,
      bare: 'bytes',
      ...get((round) => urls.files(projectOf(round)), { 'accept-encoding': 'br' }),
    },
    {
      what: 'the file list as JSON',
      most: 2,
      bare: 'bytes',
      ...get((round) => urls.listFolders(projectOf(round)), { 'accept-encoding': 'br' }),
    },
    { what: 'a page of the list of projects', most: 3, bare: 'bytes', ...get(() => urls.listProjects) },
    {
      what: 'a download of 100 kB',
      most: 0.8,
      bare: 'file',
      times: 2000,
      run: () => many(2000, () => call(download, 'GET', { cookie })),
    },
    {
      what: 'the same, not changed (304)',
      most: 0.4,
      bare: 'bytes',
      times: 2000,
      run: () => many(2000, () => call(download, 'GET', { cookie, 'if-none-match': etag })),
    },
  ]
}

function sendingActs(office: FilesOffice): Act[] {
  const { url, headers } = office
  const form = formOf(office)
  const small = (count: number, round: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `Bilag ${round} ${index}.bin`, size: SMALL }))
  return [
    {
      what: '1 GiB by tus',
      most: 4000,
      bare: 'write',
      times: LARGE / GIB,
      run: async () => forget(office, await sendByTus(url, headers, LARGE)),
    },
    {
      what: '1 GiB by multipart',
      most: 4000,
      bare: 'write',
      times: LARGE / GIB,
      run: async () => forget(office, await sendByMultipart(url, headers, LARGE)),
    },
    {
      what: 'a file of 100 kB in a pile of 1,000, saved',
      most: 2.1,
      bare: 'write',
      times: 1000,
      run: async (round) => submit(form, headers, await sendInBatches(url, headers, small(1000, round))),
    },
    {
      what: 'one file of 100 kB and its form',
      most: 6.7,
      bare: 'write',
      times: 50,
      run: async (round) => {
        for (const file of small(50, round + 100))
          await submit(form, headers, await sendInBatches(url, headers, [file]))
      },
    },
  ]
}

async function changingActs(office: FilesOffice): Promise<Act[]> {
  const { url, headers, projectIds } = office
  const files = await fileIds(office, 1)
  const [here, there] = [office.folderId(1, 0), office.folderId(1, 1)]
  const owner = { project: projectIds[1]! }
  const change = (path: string, body: object) =>
    call(url + path, 'POST', { ...headers, 'content-type': 'application/json' }, [
      Buffer.from(JSON.stringify(body)),
    ])
  const remove = (id: number) => call(url + fileUrls.file(owner, id), 'DELETE', headers)
  const restore = (id: number) => change(fileUrls.restore(owner, id), {})
  let isDeleted = false
  return [
    {
      what: 'moving a file to another folder',
      most: 2,
      bare: 'change',
      times: 200,
      run: (round) =>
        many(200, (index) =>
          change(urls.moveFile(owner.project), {
            file_id: files[index % files.length],
            folder_id: (round + Math.floor(index / files.length)) % 2 === 0 ? there : here,
          }),
        ),
    },
    {
      what: 'moving a file one place up',
      most: 2,
      bare: 'change',
      times: 200,
      run: () => many(200, (index) => change(fileUrls.moveUp(owner, files[index % 2]!), {}), 1),
    },
    {
      what: 'deleting a file, or restoring it',
      most: 2,
      bare: 'change',
      times: 2 * files.length,
      run: async () => {
        if (isDeleted) throw new Error('The files are deleted already.')
        isDeleted = true
        await many(files.length, (index) => remove(files[index]!))
        await many(files.length, (index) => restore(files[index]!))
        isDeleted = false
      },
    },
  ]
}

async function pathOf({ sql }: FilesOffice, name: string): Promise<string> {
  const { rows } = await sql.query<{ path: string }>(
    `select key || '/' || name as path from files where name = $1`,
    [name],
  )
  return rows[0]!.path
}

/** The files of a project's first folder. */
async function fileIds({ sql, folderId }: FilesOffice, project: number): Promise<number[]> {
  const { rows } = await sql.query<{ id: string }>(
    'select id from files where folder_id = $1 order by position',
    [folderId(project, 0)],
  )
  return rows.map(({ id }) => Number(id))
}

function forget({ url, headers }: FilesOffice, hash: string): Promise<unknown> {
  return call(url + urls.temporaryFile(hash), 'DELETE', { ...headers, 'tus-resumable': '1.0.0' })
}
