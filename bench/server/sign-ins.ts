import { Client } from 'pg'
import { sql } from 'kysely'
import { openThrowAway } from '../../demo/throw-away.ts'
import { readConfig } from '../../src/config.ts'
import { ROLES } from '../../src/rights.ts'
import type { Parts } from '../../src/server/parts.ts'
import { startRingbind } from '../../src/start.ts'
import { makeProject, makeUser, PASSWORD } from '../../test/make.ts'
import type { Result } from '../measure/result.ts'
import { signIn, type SignedIn } from '../office/sign-in.ts'

const EMAIL = 'bench@example.dk'
const PAIRS = 300
const WARM_UP = 50

/** A sign-in counts with its page. */
const ACTS = ['/', '/projects', '/login', 'sign-in'] as const
type Act = (typeof ACTS)[number]

/** The settings that add to the password, and what the person who signs in uses of them. */
const ADDITIONS: {
  settings: Record<string, string>
  give: (parts: Parts, userId: number) => Promise<unknown>
}[] = [
  {
    settings: {
      OIDC_PROVIDERS: 'mitid',
      OIDC_MITID_NAME: 'MitID',
      OIDC_MITID_ISSUER: 'https://mitid.example',
      OIDC_MITID_CLIENT_ID: 'bench',
      OIDC_MITID_CLIENT_SECRET: 'bench',
    },
    give: ({ db }, userId) =>
      sql`insert into identities (user_id, issuer, subject) values (${userId}, 'https://mitid.example', 'bench')`.execute(
        db,
      ),
  },
  {
    // A second factor is demanded of everybody, but not yet.
    settings: {},
    give: ({ db }) =>
      sql`insert into factor_demands (role, starts_at)
        select role, now() + interval '10 days' from unnest(${ROLES}::text[]) as role`.execute(db),
  },
  {
    // Investors have factors, and lend to advisers.
    settings: {},
    give: async ({ db }) => {
      for (let each = 0; each < 20; each++) {
        const [lender, adviser] = [
          await makeUser(db, { role: 'investor' }),
          await makeUser(db, { role: 'adviser' }),
        ]
        await sql`
          insert into lendings (lender_id, adviser_id, is_everything) values (${lender.id}, ${adviser.id}, true)`.execute(
          db,
        )
        await sql`
          insert into code_apps (user_id, secret, last_step) values (${lender.id}, '\\x00', 0)`.execute(db)
      }
    },
  },
]

/** Measures what each way to sign in costs those who use a password, and each page. */
export async function measure(): Promise<Result[]> {
  await using open = new AsyncDisposableStack()
  const plain = await openOffice(open, [])
  const whole = await openOffice(open, ADDITIONS)
  const results: Result[] = await inTurn(ACTS, async (act) => {
    const before = await countQueries(() => plain.do(act))
    return {
      what: act === 'sign-in' ? 'queries of a sign-in' : `queries of the page ${act}`,
      value: await countQueries(() => whole.do(act)),
      unit: '',
      limit: { what: 'with a password only', value: before },
      aim: { value: act === 'sign-in' ? before + 1 : before },
      family: 'queries of a sign-in and of pages',
    }
  })
  for (const act of ['/projects', 'sign-in'] as const) results.push(await compare(act, plain, whole))
  return results
}

type BenchOffice = { do: (act: Act) => Promise<void> }

async function openOffice(open: AsyncDisposableStack, additions: typeof ADDITIONS): Promise<BenchOffice> {
  const directory = await openThrowAway('bench')
  open.defer(() => directory.remove())
  const config = readConfig({
    ...Object.assign({}, ...additions.map(({ settings }) => settings)),
    PORT: '0',
    LOG_LEVEL: 'warn',
    REQUESTS_PER_MINUTE: '10000000',
    DATA_DIR: directory.path,
  })
  const fill = async (parts: Parts) => {
    const { id } = await makeUser(parts.db, { role: 'employee', email: EMAIL })
    for (const { give } of additions) await give(parts, id)
    for (let each = 0; each < 25; each++) await makeProject(parts.db)
  }
  // Jobs would be counted too.
  const { url } = open.use(await startRingbind(config, { fill, jobsEverySeconds: 600 }))
  const headers = await signIn(url, EMAIL)
  return { do: (act) => (act === 'sign-in' ? enter(url, headers) : look(url, act, headers)) }
}

async function look(url: string, page: Act, { cookie }: SignedIn): Promise<void> {
  const answer = await fetch(url + page, { headers: page === '/login' ? {} : { cookie } })
  if (answer.status !== 200) throw new Error(`${page} answered ${answer.status}.`)
  await answer.arrayBuffer()
}

/** Signs in from a browser that is known and not signed in. */
async function enter(url: string, { cookie, ...headers }: SignedIn): Promise<void> {
  const device = /\bdevice=[^;]*/.exec(cookie)![0]
  const page = await fetch(`${url}/login`, { headers: { cookie: device } })
  await page.arrayBuffer()
  const token = page.headers
    .getSetCookie()
    .map((each) => /^XSRF-TOKEN=([^;]*)/.exec(each)?.[1])
    .find(Boolean)!
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    headers: {
      ...headers,
      cookie: `${device}; XSRF-TOKEN=${token}`,
      'x-xsrf-token': decodeURIComponent(token),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`The sign-in answered ${answer.status}.`)
  await answer.arrayBuffer()
}

/** Counts the queries of an act: the fewest of some times, since the server has work of its own. */
async function countQueries(act: () => Promise<void>): Promise<number> {
  const real = Reflect.get(Client.prototype, 'query')
  let count = 0
  const counting = function (this: Client, ...given: unknown[]): unknown {
    count++
    return Reflect.apply(real, this, given)
  }
  Reflect.set(Client.prototype, 'query', counting)
  try {
    const counts = await inTurn(Array.from({ length: 5 }), async () => {
      count = 0
      await act()
      return count
    })
    return Math.min(...counts)
  } finally {
    Reflect.set(Client.prototype, 'query', real)
  }
}

async function compare(act: Act, plain: BenchOffice, whole: BenchOffice): Promise<Result> {
  const times = { plain: [] as number[], whole: [] as number[] }
  for (let pair = -WARM_UP; pair < PAIRS; pair++) {
    // One after the other, taking turns at being first, so that a busy machine slows both alike.
    const both = [['plain', plain] as const, ['whole', whole] as const]
    for (const [name, office] of pair % 2 === 0 ? both : both.toReversed()) {
      const began = performance.now()
      await office.do(act)
      if (pair >= 0) times[name].push(performance.now() - began)
    }
  }
  const [mine, other] = [quickOf(times.whole), quickOf(times.plain)]
  return {
    what: act === 'sign-in' ? 'a sign-in with its page' : `the page ${act}`,
    value: mine,
    unit: 'ms',
    limit: { what: 'with a password only', value: other },
    aim: { times: 1.25 },
  }
}

/** The time that a tenth of them stay below: what others do meanwhile makes the rest slower by chance. */
const quickOf = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 10)]!

async function inTurn<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const item of items) answers.push(await work(item))
  return answers
}
