import { beforeAll, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { cleanLine } from '../../src/base/text.ts'
import { may, type Role } from '../../src/rights.ts'
import { openStorage } from '../../src/server/storage/open-storage.ts'
import { readConfig } from '../../src/config.ts'
import { Caller } from '../load/caller.ts'
import { freshDatabase, type TestDatabase } from '../database.ts'
import { freshDirectory } from '../directory.ts'
import {
  foldersByName,
  makeFile,
  makeManyFiles,
  makeProject,
  makeReport,
  makeUser,
  makeUserFolder,
} from '../make.ts'
import { watchApp, type WatchedApp } from '../load/watch-app.ts'
import { wayTo } from '../load/way.ts'

// The longest time that a request may keep the process busy, whatever its text, in time of the app's own thread.
const MOST_MS = 50
const FORM_BYTES = 100_000

type Route = FastifyInstance['routeRights'][number]
type Person = { role: Role | null; caller: Caller; enter: () => Promise<void>; ids: Record<string, string> }

let app: WatchedApp
let database: TestDatabase
let people: Person[]

const WORST = {
  plain: 'x',
  accents: `a${Array.from({ length: 29 }, (_, index) => String.fromCharCode(0x300 + ((index * 7) % 60))).join('')}`,
  hangul: '\u1112\u1161\u11ab',
  expanding: '\u0958\ufb2c\u0344',
  spaces: ' \u00a0\u2003',
  unseen: '\u200b\u00ad',
  zeros: '\0',
  brackets: '([',
  slashes: '/\\.',
  digits: '9',
  dots: '.a',
}
const filled = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)

/** All field names of our forms; each route uses the ones it knows. */
const NAMES =
  'email password current_password name number cvr status next token theme role invite without until add_member add_project q to after version rows submission shared filePath contentType size file_id folder_id user_id shares amount visible_to_investors _method'.split(
    ' ',
  )
const LISTS = ['numbers', 'sub_names', 'add_members', 'add_projects', 'newOrder', 'folders', 'keys']

type Shape = [what: string, pairs: [string, string][]]

/** Makes forms with as many bytes and fields as a route accepts. */
function shapesFor({ bodyLimit = FORM_BYTES, mostFields = 200 }: Route): Shape[] {
  const room = bodyLimit * 0.9
  const rows = Math.floor(mostFields / 6)
  return Object.entries(WORST).flatMap(([what, text]): Shape[] => {
    const bytes = Buffer.byteLength(filled(text, 100)) / 100
    const fit = (count: number, most: number) =>
      Math.max(1, Math.min(most, Math.floor(room / count / bytes) - 60))
    const many = Math.min(mostFields - 5, Math.floor(room / 100))
    return [
      [`${what}, as long as is taken`, NAMES.map((name) => [name, filled(text, fit(NAMES.length, 650))])],
      [`${what}, in one field`, [['name', filled(text, Math.min(room / bytes, 95_000 / bytes))]]],
      [
        `${what}, in the e-mail`,
        [
          ['email', `${filled(text, fit(1, 240))}@x.dk`],
          ['password', filled(text, fit(1, 1000))],
        ],
      ],
      [
        `${what}, in every file`,
        Array.from({ length: rows }, (_, row): [string, string][] => [
          [`files[${row}][name]`, `${filled(text, fit(rows, 240))}.pdf`],
          [`files[${row}][data]`, 'a'.repeat(32)],
          [`files[${row}][folder]`, filled(text, fit(4 * rows, 240))],
          [`files[${row}][folder_id]`, '1'],
        ]).flat(),
      ],
      [
        `${what}, in every company`,
        [
          ['version', '0'] as [string, string],
          ...Array.from(
            { length: Math.min(1000, Math.floor(mostFields / 12)) },
            (_, row): [string, string][] => [
              [`companies[${row}][name]`, filled(text, fit(mostFields / 6, 650))],
              [`companies[${row}][cvr]`, filled(text, fit(mostFields / 4, 100))],
              [`companies[${row}][share]`, filled(text, fit(mostFields / 4, 100))],
              [`companies[${row}][result]`, '12'],
            ],
          ).flat(),
        ],
      ],
      [
        `${what}, in every list`,
        LISTS.flatMap((list) =>
          Array.from({ length: Math.floor(many / LISTS.length) }, (_, index): [string, string] => [
            `${list}[${index}]`,
            filled(text, fit(many, 255)),
          ]),
        ),
      ],
      ['ids', Array.from({ length: many }, (_, index) => [`newOrder[${index}]`, String(index + 1)])],
    ]
  })
}

/** Makes forms whose field names are the attack. */
function oddShapesFor({ bodyLimit = FORM_BYTES, mostFields = 200 }: Route): Shape[] {
  const room = bodyLimit * 0.9
  return [
    ['deep brackets', [[`a${'[b]'.repeat(Math.min(room, 90_000) / 3)}`, 'x']]],
    ['open brackets', [['['.repeat(Math.min(room, 90_000)), 'x']]],
    ['one name again and again', Array.from({ length: mostFields }, () => ['a', ''])],
    ['one list again and again', Array.from({ length: mostFields }, () => ['a[]', ''])],
    [
      'one long name in many',
      Array.from({ length: mostFields }, (_, index) => [
        `${'k'.repeat(room / mostFields / 2)}[${index}]`,
        '',
      ]),
    ],
  ]
}

const escaped = (text: string) => encodeURIComponent(text.toWellFormed())
const ENCODINGS: Record<string, (pairs: [string, string][]) => [type: string, body: string]> = {
  urlencoded: (pairs) => [
    'application/x-www-form-urlencoded',
    pairs
      .map(([name, value]) => `${name.replaceAll(/[&=%+]/g, '')}=${value.replaceAll(/[&%+\0]/g, escaped)}`)
      .join('&'),
  ],
  multipart: (pairs) => [
    'multipart/form-data; boundary=B',
    `${pairs.map(([name, value]) => `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--B--\r\n`,
  ],
  JSON: (pairs) => ['application/json', JSON.stringify(nested(pairs))],
}

function nested(pairs: [string, string][]): object {
  const body: Record<string, unknown> = {}
  for (const [name, value] of pairs) {
    const [, root, first, second] = /^([^[]+)\[(\w*)\](?:\[(\w*)\])?$/.exec(name) ?? ['', name]
    if (first === undefined) body[root] = value
    else if (second !== undefined)
      (((body[root] ??= {}) as Record<string, Record<string, string>>)[first] ??= {})[second] = value
    else if (Array.isArray((body[root] ??= []))) (body[root] as string[]).push(value)
  }
  return body
}

const RAW: [string, string, (room: number) => string][] = [
  ['nothing but +', 'application/x-www-form-urlencoded', (room) => `a=${'+'.repeat(Math.min(room, 99_000))}`],
  [
    'nothing but %00',
    'application/x-www-form-urlencoded',
    (room) => `a=${'%00'.repeat(Math.min(room, 99_000) / 3)}`,
  ],
  ['nothing but &', 'application/x-www-form-urlencoded', (room) => '&'.repeat(room)],
  ['nothing but [', 'application/json', (room) => '['.repeat(room)],
  ['lists in a list', 'application/json', (room) => `[${'[],'.repeat(room / 3 - 1)}[]]`],
  ['a long text', 'application/json', (room) => `{"name":"${'\\u0301'.repeat(room / 6 - 3)}"}`],
  [
    'parts without an end',
    'multipart/form-data; boundary=B',
    (room) => '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(room / 60),
  ],
  [
    'a part of headers',
    'multipart/form-data; boundary=B',
    (room) => `--B\r\n${'X: y\r\n'.repeat(room / 6 - 3)}`,
  ],
  ['dashes', 'multipart/form-data; boundary=B', (room) => '\r\n--'.repeat(room / 4)],
]

const long = (text: string) => escaped(filled(text, 200)).slice(0, 12_000)
const QUERIES = [
  ...Object.values(WORST).map((text) => `q=${long(text)}`),
  ...Object.values(WORST).map((text) =>
    `q=${long(text)}&page=${'9'.repeat(300)}&sort[column]=${long(text)}`.slice(0, 14_000),
  ),
  `q=${Array.from({ length: 100 }, (_, index) => `a${index}`).join('+')}`,
  Array.from({ length: 4500 }, () => 'q=').join('&'),
  Array.from({ length: 1500 }, (_, index) => `q[${index}]=`).join('&'),
  `q${'['.repeat(14_000)}=`,
  `sort${'[x]'.repeat(4500)}=`,
  Array.from({ length: 4000 }, (_, index) => `p${index}=`)
    .join('&')
    .slice(0, 14_000),
  `find_person=${long(WORST.accents)}&find_project=${long(WORST.accents)}`,
  `next=/${'%2e%2e/'.repeat(1800)}`,
  '+'.repeat(14_000),
  '%00'.repeat(4500),
]

const HEADERS: Record<string, string>[] = [
  { range: `bytes=${Array.from({ length: 2000 }, (_, index) => `${index}-`).join()}`.slice(0, 12_000) },
  { range: `bytes=${' '.repeat(12_000)}1-` },
  { 'if-none-match': '"a",'.repeat(3000) },
  { 'if-match': ' ,'.repeat(6000) },
  { 'accept-encoding': 'br;q=0.1,'.repeat(1300) },
  { accept: 'text/html;q=0.1,'.repeat(750) },
  { 'user-agent': 'Mozilla/5.0 ('.repeat(900) },
  { 'x-forwarded-for': '1.1.1.1,'.repeat(1500) },
  { cookie: 'a=b;'.repeat(3000) },
  { cookie: `session=${'.'.repeat(12_000)}` },
  { cookie: `a="${'\\'.repeat(12_000)}` },
  { 'content-type': `multipart/form-data; ${'boundary='.repeat(1300)}` },
  { 'content-type': 'a/'.repeat(6000) },
  { 'upload-metadata': `filename ${'A'.repeat(12_000)}!`, 'tus-resumable': '1.0.0', 'upload-length': '1' },
  { 'upload-metadata': ', '.repeat(6000), 'tus-resumable': '1.0.0', 'upload-length': '1' },
  {
    'upload-metadata': `filename ${Buffer.from(filled(WORST.accents, 4500)).toString('base64')}`,
    'tus-resumable': '1.0.0',
    'upload-length': '1',
  },
  { origin: `http://${'a.'.repeat(6000)}` },
]

type Request = {
  what: string
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Lists all requests to try on a route. */
function requestsTo(route: Route, ids: Record<string, string>): Request[] {
  const path = route.url.replaceAll(/:(\w+)|\*/g, (all, name: string) => ids[name ?? '*'] ?? ids.id!)
  const { method } = route
  const params = [...route.url.matchAll(/:\w+|\*/g)].length
  const tried: Request[] = [{ what: 'as it is', method, path }]
  if (params > 0)
    for (const [what, text] of Object.entries(WORST)) {
      const worst = route.url.replaceAll(
        /:\w+|\*/g,
        escaped(filled(text, 900 / params))
          .slice(0, 12_000 / params)
          .replace(/%.?$/, ''),
      )
      tried.push({ what: `${what} in the path`, method, path: worst })
    }
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method)
  for (const query of isRead ? QUERIES : QUERIES.slice(0, 2))
    tried.push({ what: `?${query.slice(0, 30)}…`, method, path: `${path}?${query}` })
  for (const headers of HEADERS)
    tried.push({ what: `${JSON.stringify(headers).slice(0, 40)}…`, method, path, headers })
  if (isRead) return tried
  const room = (route.bodyLimit ?? FORM_BYTES) * 0.9
  for (const [what, type, body] of RAW)
    tried.push({ what, method, path, headers: { 'content-type': type }, body: body(Math.floor(room)) })
  const few = /^(plain|accents)/
  for (const [what, pairs] of [...shapesFor(route), ...oddShapesFor(route)])
    for (const [encoding, encode] of Object.entries(ENCODINGS)) {
      // Parsing is the same for every route, so only JSON is tried with every text.
      if (encoding !== 'JSON' && !few.test(what) && /,/.test(what)) continue
      const [type, body] = encode(pairs)
      tried.push({ what: `${what}, ${encoding}`, method, path, headers: { 'content-type': type }, body })
    }
  return tried
}

beforeAll(async () => {
  database = await freshDatabase()
  const { db, connection } = database
  const DATA_DIR = await freshDirectory()
  const storage = await openStorage(readConfig({ DATA_DIR }), DATA_DIR)
  const [administrator, investor, victim] = [
    await makeUser(db, { role: 'administrator' }),
    await makeUser(db, { role: 'investor', numbers: ['2001'] }),
    await makeUser(db, { role: 'investor', numbers: ['2002'] }),
  ]
  const project = await makeProject(db, { members: [investor.id] })
  const [folder] = Object.values(await foldersByName(db, project.id))
  const file = await makeFile({ db, storage }, folder!, {
    name: cleanLine(`${filled(WORST.accents, 240)}.pdf`),
  })
  await makeManyFiles(db, folder!, 300)
  for (const person of [investor, victim]) {
    await makeReport(
      db,
      person.id,
      Array.from({ length: 1000 }, (_, index) => ({
        name: cleanLine(`${filled(WORST.accents, 190)} ${index}`),
        result: index,
      })),
    )
    await makeUserFolder(db, person.id)
  }
  app = await watchApp(connection, { DATA_DIR, REQUESTS_PER_MINUTE: '10000000' })
  const common = {
    id: '1',
    project: String(project.id),
    folder: String(folder),
    file: String(file.id),
    '*': file.path.split('/').map(encodeURIComponent).join('/'),
    hash: 'a'.repeat(32),
    token: 'x'.repeat(43),
    key: 'a'.repeat(32),
    submission: 'abcdefgh',
    kind: 'folders',
  }
  people = [
    { role: null, user: null, of: victim },
    { role: administrator.role, user: administrator, of: victim },
    { role: investor.role, user: investor, of: investor },
  ].map(({ role, user, of }) => {
    const caller = new Caller(wayTo(app.port, { localAddress: '127.0.0.1', connections: 1 }))
    const enter = async () => {
      caller.cookies.clear()
      if (user) await caller.signIn(user.email)
      await caller.page()
    }
    return { role, caller, enter, ids: { ...common, user: String(of.id) } }
  })
  for (const { enter } of people) await enter()
}, 300_000)

/** Measures the longest time without a pause. If it is long, takes the median of five: garbage collection does not count. */
async function timeOf({ caller }: Person, { method, path, headers, body }: Request): Promise<number> {
  const once = async () => {
    await app.look()
    await caller
      .call(method, path, {
        ...(headers && { headers: merged(caller, headers) }),
        ...(body !== undefined && { body }),
      })
      .catch(() => undefined)
    return (await app.look()).longest
  }
  const first = await once()
  if (first <= MOST_MS) return first
  const more = [first, await once(), await once(), await once(), await once()]
  return more.toSorted((a, b) => a - b)[2]!
}

/** Adds a tried cookie to the real ones. */
function merged(caller: Caller, headers: Record<string, string>): Record<string, string> {
  return headers.cookie
    ? { ...headers, cookie: `${caller.headers.cookie}; ${headers.cookie}`.slice(0, 13_000) }
    : headers
}

describe('no request keeps the process busy', () => {
  it(
    `no request keeps the process busy for more than ${MOST_MS} ms, whatever its text`,
    { timeout: 3_600_000 },
    async () => {
      const only = process.env.WORST_ONLY
      const routes = app.routes.filter(({ url }) => !only || new RegExp(only).test(url))
      expect(routes.length).toBeGreaterThan(only ? 0 : 80)
      const faults: string[] = []
      const slowest: [number, string][] = []
      let tried = 0
      for (const route of routes)
        for (const who of people.filter(({ role }) => role === null || may(role, route.right))) {
          // A request without the right is refused before it is read, so a tenth of the requests is enough.
          const requests = requestsTo(route, who.ids)
          const isRefused = !may(who.role, route.right)
          for (const request of isRefused ? requests.filter((_, index) => index % 10 === 0) : requests) {
            const ms = await timeOf(who, request)
            tried++
            const what = `${ms.toFixed(0)} ms: ${request.method} ${route.url} as ${who.role ?? 'nobody'}: ${request.what}`
            slowest.push([ms, what])
            if (ms <= MOST_MS) continue
            faults.push(what)
            process.stderr.write(`${what}\n`)
          }
          if (/logout|sessions|deactivate|password|theme|login/.test(route.url))
            for (const { enter } of people) await enter()
        }
      slowest.sort(([a], [b]) => b - a)
      console.log(
        `${tried} requests to ${routes.length} routes. The slowest:\n${slowest
          .slice(0, 12)
          .map(([, what]) => what)
          .join('\n')}`,
      )
      expect(faults).toEqual([])
    },
  )
})
