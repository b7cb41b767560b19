import { generateNKeysBetween } from 'fractional-indexing'
import { fileUrls, urls } from '../../src/urls.ts'
import { openFilesOffice, type FilesOffice } from '../office/files-office.ts'
import { median, type Result } from '../measure/result.ts'

const FILES = 2000
const MOST_RATIO = 3
const [WARM_UPS, ROUNDS] = [3, 9]
/** The rest of the office. */
const OTHERS = [Array.from({ length: 20 }, () => 1000)]

/** The project that the server changes, and the one that is changed by hand. */
const [OURS, THEIRS] = [0, 1]

const ACTS = ['move', 'undo move', 'delete', 'restore', 'undo restore', 'restore again'] as const
type Act = (typeof ACTS)[number]

/** Compares changing many files at once with the same SQL by hand. The two take turns, on the same machine and data. */
export async function measure(): Promise<Result[]> {
  await using office = await openFilesOffice([[FILES, 0], [FILES, 0], ...OTHERS])
  const [ours, theirs] = [await listFiles(office, OURS), await listFiles(office, THEIRS)]
  const times = new Map<Act, { ours: number[]; theirs: number[] }>(
    ACTS.map((act) => [act, { ours: [], theirs: [] }]),
  )
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    let undo = ''
    for (const act of ACTS) {
      const began = performance.now()
      undo = await askFor(office, act, ours, undo)
      const between = performance.now()
      await doByHand(office, act, theirs)
      const ended = performance.now()
      if (round < WARM_UPS) continue
      times.get(act)!.ours.push(between - began)
      times.get(act)!.theirs.push(ended - between)
    }
  }
  return [
    compare('moving', [times.get('move')!]),
    compare('deleting', [times.get('delete')!]),
    compare('restoring', [times.get('restore')!, times.get('restore again')!]),
    compare('taking a move back of', [times.get('undo move')!]),
    compare('taking a restoring back of', [times.get('undo restore')!]),
  ]
}

function compare(what: string, times: { ours: number[]; theirs: number[] }[]): Result {
  const [own, bare] = [
    median(times.flatMap(({ ours }) => ours)),
    median(times.flatMap(({ theirs }) => theirs)),
  ]
  return {
    what: `${what} ${FILES.toLocaleString('en')} files at once`,
    value: own,
    unit: 'ms',
    limit: { what: 'the same SQL by hand', value: bare },
    aim: { times: MOST_RATIO },
  }
}

async function listFiles({ sql, folderId }: FilesOffice, project: number): Promise<number[]> {
  const { rows } = await sql.query<{ id: string }>(
    'select id from files where folder_id = $1 order by position',
    [folderId(project, 0)],
  )
  return rows.map(({ id }) => Number(id))
}

/** Has the server do it. Returns the id to take it back by. */
async function askFor(office: FilesOffice, act: Act, files: number[], undo: string): Promise<string> {
  const { url, headers, projectIds, folderId } = office
  const owner = { project: projectIds[OURS]! }
  const address = {
    move: fileUrls.many(owner, 'move'),
    'undo move': urls.undo(undo),
    delete: fileUrls.many(owner, 'delete'),
    restore: fileUrls.many(owner, 'restore'),
    'undo restore': urls.undo(undo),
    'restore again': fileUrls.many(owner, 'restore'),
  }[act]
  const answer = await fetch(url + address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(act.startsWith('undo') ? {} : { files, folder_id: folderId(OURS, 1) }),
  })
  const told = (await answer.json()) as { undo?: string | null; message?: string }
  if (!answer.ok) throw new Error(`${act} answered ${answer.status}: ${told.message}`)
  return told.undo ?? ''
}

/** Does the same in SQL: the changes and their entries in the log, in one transaction. */
async function doByHand(
  { sql, folderId, projectIds }: FilesOffice,
  act: Act,
  files: number[],
): Promise<void> {
  const [here, there] = [folderId(THEIRS, 0), folderId(THEIRS, 1)]
  const isMove = act === 'move' || act === 'undo move'
  const isDeletion = act === 'delete' || act === 'undo restore'
  await sql.query('begin')
  await sql.query('select from folders where id in ($1, $2) order by id for update', [here, there])
  if (isMove)
    await sql.query(
      `update files set folder_id = $1, position = placed.position
       from unnest($2::bigint[], $3::text[]) as placed (id, position) where files.id = placed.id`,
      [act === 'move' ? there : here, files, generateNKeysBetween(null, null, files.length)],
    )
  else
    await sql.query(
      `update files set deleted_at = ${isDeletion ? 'now()' : 'null'}, deleted_by = ${isDeletion ? '1' : 'null'}
       where id = any ($1::bigint[])`,
      [files],
    )
  await sql.query(
    `insert into log (act, user_id, address, project_id, folder_id, file_id)
     select $1, 1, '127.0.0.1', $2, $3, id from unnest($4::bigint[]) as id`,
    [
      isMove ? 'file-moved' : isDeletion ? 'file-deleted' : 'file-restored',
      projectIds[THEIRS],
      act === 'move' ? there : here,
      files,
    ],
  )
  await sql.query('commit')
}
