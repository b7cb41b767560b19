import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { readModule, type Import, type Module, type SourceFile } from './read-module.ts'

// The rules and their numbers are those of docs/house.md.

/** The rooms, lowest first: each sees only those before it. */
const ROOMS = [
  'gallery',
  'log',
  'office',
  'accounts',
  'access',
  'reading',
  'projects',
  'files',
  'releases',
  'uploads',
  'intake',
  'inbox',
  'report',
  'people',
  'search',
  'year',
  'start',
  'live',
  'copies',
  'watch',
  'moving',
  'programs',
  'help',
]

/** The rooms inside a room, lowest first. Files right in the room stand above them all. */
const INNER_ROOMS: Record<string, string[]> = {
  accounts: [
    'users',
    'passwords',
    'mails',
    'links',
    'session',
    'throttle',
    'factor',
    'demands',
    'oidc',
    'proof',
    'sign-in',
    'profile',
    'tokens',
    'view',
  ],
  base: ['danish', 'time', 'fields'],
  log: ['words', 'notices', 'machine', 'chain', 'calls'],
  'moving/sheet': ['read', 'plan'],
  'moving/tree': ['place'],
  report: ['company', 'sheet'],
  server: ['process', 'database', 'work', 'storage', 'reading', 'http'],
  ui: ['basic', 'icon', 'overlay', 'menu', 'live', 'form', 'drag', 'list', 'shell'],
  uploads: [
    'names',
    'pictures',
    'transport',
    'papers',
    'held',
    'pile',
    'groups',
    'judgements',
    'result',
    'unsaved',
    'repair',
    'form',
    'filing',
    'split',
    'versions',
  ],
}

const READABLE_TABLES = new Set([
  'src/urls.ts',
  'src/next-urls.ts',
  'src/rights.ts',
  'src/navigation.ts',
  'src/jobs.ts',
])
const TABLES = new Set([
  ...READABLE_TABLES,
  'src/pages.ts',
  'src/config.ts',
  'src/settings.ts',
  'src/provider-settings.ts',
  'src/copy-settings.ts',
  'src/storage-settings.ts',
])
/** `config.ts` runs on the server alone, and is made of these. */
const KINDS_OF_SETTINGS = 'src/server/process/setting-kinds.ts'

const MEETS_REQUESTS = new Set([
  'src/app.ts',
  'src/server/process/logger.ts', // takes Fastify's logger
  'src/server/process/primary-line.ts', // hands connections to the app
])
const TOUCHES_DISK = new Set([
  'src/start.ts',
  'src/server.ts',
  'src/server/mail.ts', // keeps mails that cannot be sent
  'src/server/http/render.ts', // reads index.html
  'src/server/http/page-source.ts', // reads dist
  'src/accounts/passwords/common-passwords.server.ts', // reads its list
  'src/help/open-manual.server.ts', // reads the manual
  'src/intake/directory.server.ts', // takes files from the watched directory
])
const MOST_FILES = 25

/** Returns one English line for every rule of the house that these files break. */
export function findFaults(files: SourceFile[]): string[] {
  const modules = files.map(readModule)
  return [
    ...modules.flatMap((module) => [
      ...(areaOf(module.path) === 'outside' ? [] : nameFaults(module)),
      ...(isTest(module.path) ? [] : [...importFaults(module), ...codeFaults(module)]),
      ...moduleFaults(module),
    ]),
    ...cycleFaults(modules),
    ...folderFaults(modules),
  ]
}

// Kinds of files

const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path)
const isDb = (path: string) => path.endsWith('.db.ts')
const isRoutes = (path: string) => path.endsWith('.routes.ts')
const isJobs = (path: string) => path.endsWith('.jobs.ts')
const isHook = (path: string) => /\/use-[^/]*\.ts$/.test(path)
const isServer = (path: string) => path.startsWith('src/server/') || path.endsWith('.server.ts')
const isBrowser = (path: string) => path.endsWith('.tsx') || isHook(path)
const isServerOnly = (path: string) => isDb(path) || isRoutes(path) || isJobs(path) || isServer(path)
const isPlain = (path: string) => path.endsWith('.ts') && !isBrowser(path) && !isServerOnly(path)

/** `base`, `ui`, `server` or a room; `top` for the files right under src; `outside` for all else. */
function areaOf(path: string): string {
  const [root, area, ...rest] = path.split('/')
  if (root !== 'src' || area === undefined) return 'outside'
  return rest.length === 0 ? 'top' : area
}

const isBelowTop = (path: string) => !['top', 'outside'].includes(areaOf(path))

// Rules 1 to 5, as far as imports tell

function importFaults(module: Module): string[] {
  return [
    ...roomFaults(module.path),
    ...module.imports.flatMap((imported) =>
      [
        areaFault(module.path, imported),
        innerRoomFault(module.path, imported),
        tableFault(module.path, imported),
        browserFault(module.path, imported),
        plainFault(module.path, imported),
        diskFault(module.path, imported),
      ].flatMap((fault) => (fault === null ? [] : [`${module.path} imports ${imported.target}: ${fault}`])),
    ),
  ]
}

function roomFaults(path: string): string[] {
  const area = areaOf(path)
  const isKnown = ['base', 'ui', 'server', 'top', 'outside', ...ROOMS].includes(area)
  if (!isKnown) return [`${path}: the room ${area} has no place in the order of rooms (rule 1)`]
  return Object.entries(INNER_ROOMS).flatMap(([room, order]) => {
    const inner = innerRoomOf(path, room)
    if (inner === null || inner === '' || order.includes(inner)) return []
    return [`${path}: the room ${room}/${inner} has no place in the order of rooms (rule 1)`]
  })
}

/** The room inside `room` that has the file; empty for a file right in `room`, null for one outside it. */
function innerRoomOf(path: string, room: string): string | null {
  const start = `src/${room}/`
  return path.startsWith(start) ? (path.slice(start.length).split('/').slice(0, -1)[0] ?? '') : null
}

function areaFault(path: string, { target, isRelative, isType }: Import): string | null {
  const from = areaOf(path)
  const to = areaOf(target)
  if (!isBelowTop(path) || READABLE_TABLES.has(target)) return null
  if (from === 'base') return isRelative && to === 'base' ? null : 'base imports only base (rule 1)'
  if (!isRelative || from === to || to === 'base') return null
  if (to === 'top') return topFault(target, isType)
  if (to === 'outside') return /\.tsx?$/.test(target) ? `${from} imports nothing outside src (rule 1)` : null
  return neighbourFault(from, to, isType)
}

function topFault(target: string, isType: boolean): string | null {
  if (!TABLES.has(target)) return 'of the top only the tables are named below it (rule 2)'
  return isType ? null : 'below the top it may be named only in types (rule 2)'
}

const isPlumbing = (area: string) => area === 'ui' || area === 'server'

function neighbourFault(from: string, to: string, isType: boolean): string | null {
  if (isPlumbing(from) && isPlumbing(to))
    return isType ? null : 'ui and server do not see each other (rule 1)'
  if (isPlumbing(from)) return `${from} imports no rooms (rule 1)`
  if (isPlumbing(to) || ROOMS.indexOf(to) < ROOMS.indexOf(from)) return null
  return `${from} sees only lower rooms (rule 1)`
}

function innerRoomFault(path: string, { target }: Import): string | null {
  for (const [room, order] of Object.entries(INNER_ROOMS)) {
    const from = innerRoomOf(path, room)
    const to = innerRoomOf(target, room)
    if (from === null || to === null) continue
    const heightOf = (inner: string) => (inner === '' ? order.length : order.indexOf(inner))
    if (heightOf(to) > heightOf(from))
      return `${posix.dirname(path).slice('src/'.length)} sees only lower rooms of ${room} (rule 1)`
  }
  return null
}

function tableFault(path: string, { target, isType, isDynamic }: Import): string | null {
  if (!TABLES.has(path) || isType || TABLES.has(target)) return null
  if (path === 'src/pages.ts' && isDynamic) return null
  if (path.endsWith('settings.ts') && target === KINDS_OF_SETTINGS) return null
  return 'a table imports only types and tables (rule 2)'
}

function browserFault(path: string, { target, isType }: Import): string | null {
  if (!isBrowser(path) || isType) return null
  if (isServerOnly(target)) return 'what runs in the browser takes only types from the server (rule 3)'
  return isBelowTop(path) && isBuiltin(target) ? 'what runs in the browser has no Node (rule 5)' : null
}

function plainFault(path: string, { target, isRelative, isType }: Import): string | null {
  if (!isBelowTop(path) || !isPlain(path) || isType) return null
  if (isRelative && isPlain(target)) return null
  if (areaOf(path) === 'ui' && /^react(\/|$)/.test(target)) return null
  return 'a plain .ts file imports only plain .ts files (rule 4)'
}

function diskFault(path: string, { target, isType }: Import): string | null {
  if (isType || !/^(node:)?fs(\/|$)/.test(target) || areaOf(path) === 'outside') return null
  if (
    /^src\/(server\/(process|database|storage)|copies|moving\/(out|tree))\//.test(path) ||
    TOUCHES_DISK.has(path)
  )
    return null
  return 'the disk is touched only behind storage.ts and in copies (rule 5)'
}

// Rules 5 and 7: SQL, transactions and requests in their places, and a name that tells the truth

const QUERIES = [
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
  'query',
  'executeQuery',
]
const TRANSACTIONS = ['transaction', 'startTransaction']
const REQUESTS = new Set(['FastifyRequest', 'FastifyReply', 'FastifyInstance', 'fastify'])
const DATABASE_TYPES = new Set(['Database', 'Trx', 'Client'])

function codeFaults({ path, calls, imports }: Module): string[] {
  if (areaOf(path) === 'outside') return []
  const isAboutRequests = isRoutes(path) || path.startsWith('src/server/http/') || MEETS_REQUESTS.has(path)
  const isAboutRows = isDb(path) || path.startsWith('src/server/database/')
  const hasSql = imports.some(
    ({ target, names, isType }) =>
      target === 'kysely' && !isType && names.some((name) => ['sql', '*'].includes(name)),
  )
  const queries = [
    ...(hasSql ? ['sql from kysely'] : []),
    ...QUERIES.filter((name) => calls.has(name)).map((name) => `${name}()`),
  ]
  const transactions = [
    ...TRANSACTIONS.filter((name) => calls.has(name)),
    ...imports.flatMap(({ names }) => names.filter((name) => name === 'transactional')),
  ].map((name) => `${name}()`)
  const requests = imports.flatMap(({ target, names }) =>
    target === 'fastify' ? names.filter((name) => REQUESTS.has(name)) : [],
  )
  const knowsRows = imports.some(({ names }) => names.some((name) => DATABASE_TYPES.has(name)))
  return [
    ...(isAboutRows ? [] : queries).map((use) => `${path} uses ${use}: SQL lives only in .db.ts (rule 5)`),
    ...(isAboutRows ? [] : transactions).map(
      (use) => `${path} uses ${use}: a transaction is opened only in .db.ts (rule 5)`,
    ),
    ...(isAboutRequests ? [] : requests).map(
      (name) => `${path} uses ${name}: requests are met only in .routes.ts and server/http (rule 5)`,
    ),
    ...(isRoutes(path) && requests.length === 0 ? [`${path}: it meets no request (rule 7)`] : []),
    ...(isDb(path) && queries.length === 0 && !knowsRows ? [`${path}: it has no SQL (rule 7)`] : []),
  ]
}

// Rule 6: how modules are written

const HAS_EXTENSION = /\.(tsx?|css|svg|json|html|png|jpe?g|webp|woff2?)$/

function moduleFaults({ path, imports, hasDefaultExport, isBarrel }: Module): string[] {
  const bare = imports.filter(({ isRelative, target }) => isRelative && !HAS_EXTENSION.test(target))
  return [
    ...bare.map(({ specifier }) => `${path} imports '${specifier}': it lacks the file's extension (rule 6)`),
    ...(hasDefaultExport ? [`${path}: no default exports (rule 6)`] : []),
    ...(isBarrel ? [`${path}: no barrels, import from the file itself (rule 6)`] : []),
  ]
}

function cycleFaults(modules: Module[]): string[] {
  const edges = new Map(modules.map((module) => [module.path, [...new Set(targetsOf(module))]]))
  const done = new Set<string>()
  const walk = (path: string, trail: string[]): string[] => {
    const start = trail.indexOf(path)
    if (start >= 0) return [`${[...trail.slice(start), path].join(' → ')}: imports form a circle (rule 6)`]
    if (done.has(path)) return []
    const faults = (edges.get(path) ?? []).flatMap((next) => walk(next, [...trail, path]))
    done.add(path)
    return faults
  }
  return modules.flatMap(({ path }) => walk(path, []))
}

/** The table of pages loads each page only when it is asked for, so it closes no circle. */
function targetsOf({ path, imports }: Module): string[] {
  return imports
    .filter(({ isDynamic }) => !(isDynamic && path === 'src/pages.ts'))
    .map(({ target }) => target)
}

// Rule 8: names

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/
const SUFFIX = /(?:(?:\.(?:routes|jobs|db|server|fields))?(?:\.(?:test|spec))?\.ts|(?:\.test)?\.tsx)$/
const SAYS_NOTHING = /^(?:.*-)?(utils?|helpers?|common|misc|managers?|services?)$|^(types|constants|index)$/
/** Names that a browser has and Node does not. */
const BROWSER_GLOBALS =
  'Animation Attr Audio Comment Document Element FileList FileReader History Image Location Lock MediaSource Node NodeList Notification Option Plugin Range Report Screen Selection Storage StyleSheet Text Touch Window Worker'
const GLOBALS = new Set([
  ...Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Z]/.test(name)),
  ...BROWSER_GLOBALS.split(' '),
])

function nameFaults({ path, declared }: Module): string[] {
  const names = path.replace(SUFFIX, '').split('/')
  const odd = names.filter((name) => !KEBAB.test(name))
  const empty = names.filter((name) => SAYS_NOTHING.test(name))
  return [
    ...odd.map((name) => `${path}: ${name} is not kebab-case with a known suffix (rule 8)`),
    ...empty.map((name) => `${path}: the name ${name} does not say what is inside (rule 8)`),
    ...declared
      .filter((name) => GLOBALS.has(name))
      .map((name) => `${path}: ${name} is the name of a global (rule 8)`),
  ]
}

// Rule 9: sizes. Lines are counted by oxlint.

function folderFaults(modules: Module[]): string[] {
  const folders = Map.groupBy(
    modules.filter(({ path }) => !isTest(path)),
    ({ path }) => posix.dirname(path),
  )
  return [...folders]
    .filter(([, files]) => files.length > MOST_FILES)
    .map(([folder, files]) => `${folder} has ${files.length} files, more than ${MOST_FILES} (rule 9)`)
}
