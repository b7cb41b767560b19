import { openFilesOffice, type FilesOffice, type Sizes } from '../office/files-office.ts'
import { median, type Result } from '../measure/result.ts'

const WARM_UPS = 8
const ROUNDS = 40
const MOST_RATIO = 3
const [PROJECTS, FOLDERS] = [20, 13]

const sizesOf = (files: number): Sizes =>
  Array.from({ length: PROJECTS }, () =>
    Array.from(
      { length: FOLDERS },
      (_, folder) => Math.floor(files / FOLDERS) + (folder < files % FOLDERS ? 1 : 0),
    ),
  )

/** States in which an investor may have left the news. */
const STATES: Record<string, string[]> = {
  'some new': [
    `update project_members set seen_at = (select created_at from files order by id offset 30 limit 1)`,
  ],
  'all new, none read': [`update project_members set seen_at = null`],
  // The newest file has the lowest id.
  'all new, the newest thousand read': [
    `insert into file_reads (user_id, file_id) select users.id, files.id from users, files where files.id <= 1000`,
    `vacuum analyze file_reads`,
  ],
}

const PATHS = ['/', '/papers', '/projects/1000/uploads']

/** Compares an investor's news and papers with 20 projects of 50 files and with 20 of 5,000. */
export async function measure(): Promise<Result[]> {
  await using small = await openFilesOffice(sizesOf(50))
  await using large = await openFilesOffice(sizesOf(5000))
  const results: Result[] = []
  for (const { sql } of [small, large]) await makeInvestor(sql)
  for (const [state, statements] of Object.entries(STATES)) {
    for (const { sql } of [small, large]) for (const statement of statements) await sql.query(statement)
    for (const path of PATHS) results.push(await compare(`${path} (${state})`, path, small, large))
  }
  return results
}

async function makeInvestor(sql: FilesOffice['sql']): Promise<void> {
  await sql.query(`update files set shown_at = created_at`)
  await sql.query(`update users set role = 'investor'`)
  await sql.query(`
    insert into project_members (project_id, user_id, since)
    select projects.id, users.id, '-infinity' from projects, users`)
  await sql.query('vacuum analyze')
}

async function get({ url, headers: { cookie } }: FilesOffice, path: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(url + path, { headers: { cookie } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
  return performance.now() - began
}

async function compare(what: string, path: string, small: FilesOffice, large: FilesOffice): Promise<Result> {
  const times: { small: number[]; large: number[] } = { small: [], large: [] }
  for (let round = 1; round <= WARM_UPS + ROUNDS; round++) {
    const [ofSmall, ofLarge] = [await get(small, path), await get(large, path)]
    if (round <= WARM_UPS) continue
    times.small.push(ofSmall)
    times.large.push(ofLarge)
  }
  const [ofSmall, ofLarge] = [median(times.small), median(times.large)]
  return {
    what,
    value: ofLarge,
    unit: 'ms',
    limit: { what: 'with 20 × 50 files', value: ofSmall },
    aim: { times: MOST_RATIO },
    family: 'news of 20 projects with 5,000 files each',
  }
}
