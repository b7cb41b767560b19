import { setTimeout as sleep } from 'node:timers/promises'
import { fileUrls } from '../../src/urls.ts'
import { openFilesOffice, type FilesOffice } from '../office/files-office.ts'
import { measureCost } from '../measure/processor.ts'
import { median, type Result } from '../measure/result.ts'
import { call } from '../office/send.ts'

const WRITERS = 8
const ACTS = 480
const ROUNDS = 8
const MOST = 1.1

type Round = { seconds: number; processor: number }

/** Measures what acts pay for linking the log, and for the serving role not owning it. */
export async function measure(): Promise<Result[]> {
  await using office = await openFilesOffice([Array.from({ length: WRITERS }, () => 2)])
  const files = await listFiles(office)
  const [chained, plain]: [Round[], Round[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++)
    // Takes turns at being first, so that neither always has the calmer machine.
    for (const isChained of round % 2 === 0 ? [true, false] : [false, true]) {
      await turn(office, isChained)
      await act(office, files, ACTS / 4) // plans are made again
      const measured = await measureRound(office, files, isChained)
      await turn(office, true)
      if (round > 0) (isChained ? chained : plain).push(measured)
    }
  return [
    compare('an act, 8 writers', 'ms', chained, plain, ({ seconds }) => (seconds * 1000) / ACTS),
    compare('its processor time, until it is linked', 'ms', chained, plain, ({ processor }) => processor),
  ]
}

function compare(
  what: string,
  unit: string,
  chained: Round[],
  plain: Round[],
  value: (round: Round) => number,
): Result {
  return {
    what,
    value: median(chained.map(value)),
    unit,
    limit: { what: 'the same without', value: median(plain.map(value)) },
    aim: { times: MOST },
  }
}

/** Measures the acts, and their processor time until all of them are linked. */
async function measureRound(office: FilesOffice, files: number[][], isChained: boolean): Promise<Round> {
  let seconds = 0
  const { node, postgres } = await measureCost([office.pid], ACTS, async () => {
    const began = performance.now()
    await act(office, files, ACTS)
    seconds = (performance.now() - began) / 1000
    if (isChained) await untilLinked(office)
  })
  return { seconds, processor: node + postgres }
}

/** Gives the log to its own role and links it, or neither. Holding this lock keeps others from linking. */
async function turn(office: FilesOffice, isChained: boolean): Promise<void> {
  const { sql } = office
  const lock = `hashtextextended('log chain', 0)`
  await sql.query(isChained ? `select pg_advisory_unlock_all()` : `select pg_advisory_lock(${lock})`)
  for (const table of ['log', 'log_names', 'log_chain']) {
    await sql.query(`alter table ${table} owner to ${isChained ? 'ringbind_log' : 'ringbind'}`)
    await sql.query(`grant select, insert on ${table} to ringbind`)
  }
  if (isChained) await untilLinked(office)
}

/** Waits until every act so far is linked. */
export async function untilLinked({ sql }: FilesOffice): Promise<void> {
  for (let times = 0; times < 600; times++) {
    const { rows } = await sql.query<{ waits: boolean }>(
      `select exists (select from log where id > (select coalesce(max(log_id), 0) from log_chain)) as waits`,
    )
    if (!rows[0]!.waits) return
    await sleep(50)
  }
  throw new Error('The log is not being linked.')
}

/** Several people move files, each in a folder of their own. */
async function act(
  { url, headers, projectIds }: FilesOffice,
  files: number[][],
  acts: number,
): Promise<void> {
  const owner = { project: projectIds[0]! }
  await Promise.all(
    files.map(async ([first, second]) => {
      for (let number = 0; number < acts / WRITERS; number++)
        await call(url + fileUrls.moveUp(owner, number % 2 === 0 ? second! : first!), 'POST', headers)
    }),
  )
}

async function listFiles({ sql, folderId }: FilesOffice): Promise<number[][]> {
  const { rows } = await sql.query<{ ids: string[] }>(
    `select array_agg(id order by position)::text[] as ids from files
    where folder_id between $1 and $2 group by folder_id order by folder_id`,
    [folderId(0, 0), folderId(0, WRITERS - 1)],
  )
  return rows.map(({ ids }) => ids.map(Number))
}
