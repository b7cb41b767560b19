import { join } from 'node:path'
import { sql } from 'kysely'
import { openThrowAway } from '../../demo/throw-away.ts'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/server/database/database.ts'
import { startRingbind, type Ringbind } from '../../src/start.ts'
import { makeUser } from '../../test/make.ts'
import { median, type Result } from '../measure/result.ts'
import { signIn } from '../office/sign-in.ts'
import { weigh } from '../measure/weigh.ts'

const WARM_UPS = 8
const ROUNDS = 40
const MOST_RATIO = 3
const MOST_MS = 150
const MOST_JAVASCRIPT_KB = 105
const EMAIL = 'bench@example.dk'

type Size = { projects: number; users: number }

const SMALL: Size = { projects: 200, users: 500 }
const LARGE: Size = { projects: 2000, users: 50_000 }

const sorted = (column: string, direction: string) => `?sort[column]=${column}&sort[direction]=${direction}`
const bothWays = (list: string, columns: string[]) =>
  columns.flatMap((column) => ['asc', 'desc'].map((direction) => `/api/${list}${sorted(column, direction)}`))

/** Addresses that must cost about the same in a small and in a large office. */
const COMPARED = [
  '/projects',
  '/users',
  '/api/projects',
  '/api/users',
  ...bothWays('projects', ['number', 'name', 'status', 'files_count', 'updated_at']),
  ...bothWays('users', ['name', 'numbers', 'email', 'role']),
  '/api/projects?q=nordhavn+28dd2c79',
  '/api/users?q=person+28dd2c79&sort[column]=email&sort[direction]=asc',
  '/api/users?q=bruger77@',
]

/** Addresses that are held to a time alone: the small office finds next to nothing. */
const TOLD = [
  '/api/users?page=1000',
  `/api/users${sorted('email', 'desc')}&page=1000`,
  '/api/users?q=example',
  `/api/users?q=e&sort[column]=role`,
  `/api/users${sorted('numbers', 'asc')}&q=person`,
  '/api/projects?q=k',
]

/**
 * Compares the lists of projects and users in a small and in a large office, and weighs the JavaScript of /projects.
 */
export async function measure(): Promise<Result[]> {
  await using small = await openOffice((db) => fill(db, SMALL))
  await using large = await openOffice((db) => fill(db, LARGE))
  const results: Result[] = []
  for (const path of COMPARED)
    results.push({ ...(await compare(path, small, large)), family: 'lists in an office of 50,000 people' })
  for (const path of TOLD) results.push(await tell(path, large))
  return [
    ...results,
    await weigh('/projects', '/projects', small.body, { mostKilobytes: MOST_JAVASCRIPT_KB }),
  ]
}

export type Office = AsyncDisposable & {
  get: (path: string) => Promise<number>
  body: (path: string) => Promise<string>
}

/** Opens a Ringbind with data, with its administrator signed in. */
export async function openOffice(fillIt: (db: Ringbind['db']) => Promise<void>): Promise<Office> {
  const directory = await openThrowAway('bench')
  const ringbind = await startRingbind(
    readConfig({ PORT: '0', LOG_LEVEL: 'silent', REQUESTS_PER_MINUTE: '1000000', DATA_DIR: directory.path }),
    {
      async fill() {
        // Filling a large office takes longer than a query of the app may.
        await using db = connect({
          connection: { host: join(directory.path, 'postgres/run'), user: 'postgres', database: 'ringbind' },
          onError: () => undefined,
          patienceMs: 0,
        })
        await makeUser(db, { role: 'administrator', email: EMAIL })
        await fillIt(db)
        await sql`vacuum analyze`.execute(db)
      },
    },
  )
  const { cookie } = await signIn(ringbind.url, EMAIL)
  const ask = async (path: string) => {
    const answer = await fetch(ringbind.url + path, { headers: { cookie } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return text
  }
  return {
    body: ask,
    get: async (path) => {
      const began = performance.now()
      await ask(path)
      return performance.now() - began
    },
    async [Symbol.asyncDispose]() {
      await ringbind[Symbol.asyncDispose]()
      directory.remove()
    },
  }
}

async function fill(db: Ringbind['db'], { projects, users }: Size): Promise<void> {
  await sql`
    with people as (
      insert into users (name, email, email_key, role, first_number, search)
      select name, email, email, 'investor', number, search_key(concat_ws(E'\n', name, email, number))
      from (
        select 'Person ' || md5(n::text) || ' ' || n as name, 'bruger' || n || '@example.dk' as email, n::text as number
        from generate_series(1, ${users}::integer) as n
      ) as made
      returning id, first_number
    )
    insert into user_numbers (number, user_id) select first_number, id from people`.execute(db)
  await sql`
    with made as (
      insert into projects (number, name, status)
      select n::text, 'K/S Nordhavn ' || md5(n::text) || ' ' || n, (array['active', 'closing', 'sold'])[1 + n % 3]
      from generate_series(1, ${projects}::integer) as n
      returning id
    )
    insert into folders (project_id, name, visible_to_investors, place, files_count, shown_count, changed_at)
    select made.id, folders.name, folders.visible_to_investors, folders.place, made.id % 100, made.id % 100,
      now() - make_interval(mins => made.id::integer)
    from made cross join folders where folders.project_id is null`.execute(db)
}

/** Measures one address in both offices, in turns. */
export async function compare(
  path: string,
  small: Office,
  large: Office,
  /** Fast enough, even if the small office, which finds nothing, is much faster. */
  enoughMs = 0,
): Promise<Result> {
  const times: { small: number[]; large: number[] } = { small: [], large: [] }
  for (let round = 1; round <= WARM_UPS + ROUNDS; round++) {
    const [ofSmall, ofLarge] = [await small.get(path), await large.get(path)]
    if (round <= WARM_UPS) continue
    times.small.push(ofSmall)
    times.large.push(ofLarge)
  }
  const [ofSmall, ofLarge] = [median(times.small), median(times.large)]
  return {
    what: path,
    value: ofLarge,
    unit: 'ms',
    limit: { what: 'the small office', value: ofSmall },
    aim: { times: MOST_RATIO, ...(enoughMs > 0 && { value: enoughMs, isEither: true }) },
  }
}

async function tell(path: string, office: Office): Promise<Result> {
  const times: number[] = []
  for (let round = 1; round <= WARM_UPS + ROUNDS; round++) times.push(await office.get(path))
  const time = median(times.slice(WARM_UPS))
  return { what: path, value: time, unit: 'ms', aim: { value: MOST_MS }, family: 'lists that may be slower' }
}
