import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findFaults } from '../test/house.ts'
import { readModule, type SourceFile } from '../test/read-module.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

type Tree = Record<string, string>

const faultsOf = (tree: Tree) => findFaults(Object.entries(tree).map(([path, source]) => ({ path, source })))

async function readTree(folders: string): Promise<SourceFile[]> {
  const paths = await Array.fromAsync(
    glob(`${folders}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: ['test/client'] }),
  )
  return Promise.all(
    paths.sort().map(async (path) => ({ path, source: await readFile(`${ROOT}/${path}`, 'utf8') })),
  )
}

/** Read once: to parse all files takes seconds. */
const code = readTree('{src,bench,demo,scripts,test}')

it('the code follows the rules of docs/house.md', async () => {
  const files = await code
  expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['src/app.ts', 'bench/bench.ts']))
  expect(findFaults(files)).toEqual([])
})

it('the server itself loads no decoder of images, which may take hundreds of megabytes', async () => {
  const files = (await code).filter(({ path }) => path.startsWith('src/'))
  const modules = new Map(files.map((file) => [file.path, readModule(file)]))
  const loaded = new Set([...modules.keys()].filter((path) => /^src\/[^/]+$/.test(path) && !isTest(path)))
  const decoding: string[] = []
  for (const path of loaded)
    for (const { target, isType } of modules.get(path)!.imports) {
      if (isType) continue
      if (target === 'sharp') decoding.push(path)
      if (modules.has(target)) loaded.add(target)
    }
  expect([...loaded]).toContain('src/server/storage/make-image.ts')
  expect(decoding).toEqual([])
})

const isTest = (path: string) => /\.test\.tsx?$/.test(path)

const BROKEN: [name: string, tree: Tree, line: string][] = [
  [
    'rule 1: base may not import ui',
    { 'src/base/bytes.ts': "import { useFrame } from '../ui/frame.ts'" },
    'src/base/bytes.ts imports src/ui/frame.ts: base imports only base (rule 1)',
  ],
  [
    'rule 1: base may not import server',
    { 'src/base/bytes.ts': "import { addJob } from '../server/jobs.ts'" },
    'src/base/bytes.ts imports src/server/jobs.ts: base imports only base (rule 1)',
  ],
  [
    'rule 1: base may not import a room, even in types',
    { 'src/base/sort.ts': "import type { Project } from '../projects/project.ts'" },
    'src/base/sort.ts imports src/projects/project.ts: base imports only base (rule 1)',
  ],
  [
    'rule 1: base may not import a package',
    { 'src/base/sort.ts': "import type { ReactNode } from 'react'" },
    'src/base/sort.ts imports react: base imports only base (rule 1)',
  ],
  [
    'rule 1: base may not name the app, even in types',
    { 'src/base/sort.ts': "import type { Parts } from '../app.ts'" },
    'src/base/sort.ts imports src/app.ts: base imports only base (rule 1)',
  ],
  [
    'rule 1: ui may not import server',
    { 'src/ui/button.tsx': "import { addJob } from '../server/jobs.ts'" },
    'src/ui/button.tsx imports src/server/jobs.ts: ui and server do not see each other (rule 1)',
  ],
  [
    'rule 1: server may not import ui',
    { 'src/server/render.ts': "import { useFrame } from '../ui/frame.ts'" },
    'src/server/render.ts imports src/ui/frame.ts: ui and server do not see each other (rule 1)',
  ],
  [
    'rule 1: a type beside a value does not excuse the value',
    { 'src/server/render.ts': "import { useFrame, type Frame } from '../ui/frame.ts'" },
    'src/server/render.ts imports src/ui/frame.ts: ui and server do not see each other (rule 1)',
  ],
  [
    'rule 1: { type A } still loads the file',
    { 'src/server/render.ts': "import { type Frame } from '../ui/frame.ts'" },
    'src/server/render.ts imports src/ui/frame.ts: ui and server do not see each other (rule 1)',
  ],
  [
    'rule 1: an import over several lines counts',
    { 'src/server/render.ts': "import {\n  useFrame, // why\n  other,\n} from '../ui/frame.ts'" },
    'src/server/render.ts imports src/ui/frame.ts: ui and server do not see each other (rule 1)',
  ],
  [
    'rule 1: an import for its side effect counts',
    { 'src/server/render.ts': "import '../ui/frame.ts'" },
    'src/server/render.ts imports src/ui/frame.ts: ui and server do not see each other (rule 1)',
  ],
  [
    'rule 1: an import of everything counts',
    { 'src/server/render.ts': "import * as frame from '../ui/frame.ts'" },
    'src/server/render.ts imports src/ui/frame.ts: ui and server do not see each other (rule 1)',
  ],
  [
    'rule 1: passing an export on counts',
    { 'src/server/render.ts': "export { useFrame } from '../ui/frame.ts'\nexport const a = 1" },
    'src/server/render.ts imports src/ui/frame.ts: ui and server do not see each other (rule 1)',
  ],
  [
    'rule 1: a dynamic import counts',
    { 'src/server/render.ts': "const frame = await import('../ui/frame.ts')" },
    'src/server/render.ts imports src/ui/frame.ts: ui and server do not see each other (rule 1)',
  ],
  [
    'rule 1: ui may not import a room',
    { 'src/ui/table.tsx': "import { FileRow } from '../files/file-row.tsx'" },
    'src/ui/table.tsx imports src/files/file-row.tsx: ui imports no rooms (rule 1)',
  ],
  [
    'rule 1: server may not import a room, even in types',
    { 'src/server/permit.ts': "import type { User } from '../accounts/users/user.ts'" },
    'src/server/permit.ts imports src/accounts/users/user.ts: server imports no rooms (rule 1)',
  ],
  [
    'rule 1: a room may not import a higher room',
    { 'src/projects/projects.routes.ts': "import { listFiles } from '../files/files.db.ts'" },
    'src/projects/projects.routes.ts imports src/files/files.db.ts: projects sees only lower rooms (rule 1)',
  ],
  [
    'rule 1: a room may not import a higher room, even in types',
    { 'src/files/order.ts': "import type { Upload } from '../uploads/upload.ts'" },
    'src/files/order.ts imports src/uploads/upload.ts: files sees only lower rooms (rule 1)',
  ],
  [
    'rule 1: the tests and the demo are not part of the house',
    { 'src/files/files.db.ts': "import { makeFile } from '../../test/make.ts'" },
    'src/files/files.db.ts imports test/make.ts: files imports nothing outside src (rule 1)',
  ],
  [
    'rule 1: a room needs a place in the order',
    { 'src/cellar/wine.ts': 'export const wine = 1' },
    'src/cellar/wine.ts: the room cellar has no place in the order of rooms (rule 1)',
  ],
  [
    'rule 1: a room inside server needs a place in the order',
    { 'src/server/cellar/wine.ts': 'export const wine = 1' },
    'src/server/cellar/wine.ts: the room server/cellar has no place in the order of rooms (rule 1)',
  ],
  [
    'rule 1: a room inside server sees only lower ones, in types too',
    { 'src/server/storage/blobs.db.ts': "import type { Submit } from '../http/forms/submit.ts'" },
    'src/server/storage/blobs.db.ts imports src/server/http/forms/submit.ts: server/storage sees only lower rooms of server (rule 1)',
  ],
  [
    'rule 1: a room inside server does not see the files above it',
    { 'src/server/http/permit.ts': "import type { Jobs } from '../jobs.ts'" },
    'src/server/http/permit.ts imports src/server/jobs.ts: server/http sees only lower rooms of server (rule 1)',
  ],
  [
    'rule 1: a room inside uploads sees only lower ones',
    { 'src/uploads/names/placing.ts': "import type { Pile } from '../pile/pile.ts'" },
    'src/uploads/names/placing.ts imports src/uploads/pile/pile.ts: uploads/names sees only lower rooms of uploads (rule 1)',
  ],
  [
    'rule 1: a room inside ui sees only lower ones',
    { 'src/ui/basic/button.tsx': "import { Field } from '../form/field.tsx'" },
    'src/ui/basic/button.tsx imports src/ui/form/field.tsx: ui/basic sees only lower rooms of ui (rule 1)',
  ],
  [
    'rule 2: a table imports no code',
    { 'src/urls.ts': "import { join } from './base/text.ts'" },
    'src/urls.ts imports src/base/text.ts: a table imports only types and tables (rule 2)',
  ],
  [
    'rule 2: the table of pages loads no page at once',
    { 'src/pages.ts': "import { StartPage } from './start/start-page.tsx'" },
    'src/pages.ts imports src/start/start-page.tsx: a table imports only types and tables (rule 2)',
  ],
  [
    'rule 2: the table of settings takes nothing else from server',
    { 'src/config.ts': "import { join } from 'node:path'" },
    'src/config.ts imports node:path: a table imports only types and tables (rule 2)',
  ],
  [
    'rule 2: nobody below the top names app.ts, even in types',
    { 'src/files/files.routes.ts': "import type { Parts } from '../app.ts'" },
    'src/files/files.routes.ts imports src/app.ts: of the top only the tables are named below it (rule 2)',
  ],
  [
    'rule 2: a room may name config.ts only in types',
    { 'src/copies/keep.ts': "import { readConfig } from '../config.ts'" },
    'src/copies/keep.ts imports src/config.ts: below the top it may be named only in types (rule 2)',
  ],
  [
    'rule 2: server may name pages.ts only in types',
    { 'src/server/render.ts': "import { pages } from '../pages.ts'" },
    'src/server/render.ts imports src/pages.ts: below the top it may be named only in types (rule 2)',
  ],
  [
    'rule 2: ui may name pages.ts only in types',
    { 'src/ui/shell.tsx': "import { pages } from '../pages.ts'" },
    'src/ui/shell.tsx imports src/pages.ts: below the top it may be named only in types (rule 2)',
  ],
  [
    'rule 3: a page may not import SQL',
    { 'src/files/files-page.tsx': "import { listFiles } from './files.db.ts'" },
    'src/files/files-page.tsx imports src/files/files.db.ts: what runs in the browser takes only types from the server (rule 3)',
  ],
  [
    'rule 3: a page may not import routes',
    { 'src/files/files-page.tsx': "import { addFiles } from './files.routes.ts'" },
    'src/files/files-page.tsx imports src/files/files.routes.ts: what runs in the browser takes only types from the server (rule 3)',
  ],
  [
    'rule 3: a page may not import server',
    { 'src/files/files-page.tsx': "import { notFound } from '../server/errors.ts'" },
    'src/files/files-page.tsx imports src/server/errors.ts: what runs in the browser takes only types from the server (rule 3)',
  ],
  [
    'rule 3: a hook may not import SQL',
    { 'src/files/use-file-order.ts': "import { moveFile } from './files.db.ts'" },
    'src/files/use-file-order.ts imports src/files/files.db.ts: what runs in the browser takes only types from the server (rule 3)',
  ],
  [
    'rule 3: a hook may not import server, however late',
    { 'src/files/use-file-order.ts': "const load = () => import('../server/errors.ts')" },
    'src/files/use-file-order.ts imports src/server/errors.ts: what runs in the browser takes only types from the server (rule 3)',
  ],
  [
    'rule 3: the browser entry may not import server',
    { 'src/client.tsx': "import { addRenderer } from './server/render.ts'" },
    'src/client.tsx imports src/server/render.ts: what runs in the browser takes only types from the server (rule 3)',
  ],
  [
    'rule 4: a rule may not import a screen',
    { 'src/files/order.ts': "import { FileRow } from './file-row.tsx'" },
    'src/files/order.ts imports src/files/file-row.tsx: a plain .ts file imports only plain .ts files (rule 4)',
  ],
  [
    'rule 4: a rule may not import a hook',
    { 'src/files/order.ts': "import { useFileOrder } from './use-file-order.ts'" },
    'src/files/order.ts imports src/files/use-file-order.ts: a plain .ts file imports only plain .ts files (rule 4)',
  ],
  [
    'rule 4: a rule may not import SQL',
    { 'src/files/order.ts': "import { listFiles } from './files.db.ts'" },
    'src/files/order.ts imports src/files/files.db.ts: a plain .ts file imports only plain .ts files (rule 4)',
  ],
  [
    'rule 4: a rule may not import routes',
    { 'src/files/order.ts': "import { addFiles } from './files.routes.ts'" },
    'src/files/order.ts imports src/files/files.routes.ts: a plain .ts file imports only plain .ts files (rule 4)',
  ],
  [
    'rule 4: a rule may not import server',
    { 'src/files/order.ts': "import { invalid } from '../server/errors.ts'" },
    'src/files/order.ts imports src/server/errors.ts: a plain .ts file imports only plain .ts files (rule 4)',
  ],
  [
    'rule 4: a rule may not import what only Node has',
    { 'src/base/text.ts': "import { createHash } from 'node:crypto'" },
    'src/base/text.ts imports node:crypto: a plain .ts file imports only plain .ts files (rule 4)',
  ],
  [
    'rule 4: a rule may not import a package',
    { 'src/files/order.ts': "import { createContext } from 'react'" },
    'src/files/order.ts imports react: a plain .ts file imports only plain .ts files (rule 4)',
  ],
  [
    'rule 4: of packages, plain ui takes only React',
    { 'src/ui/request.ts': "import { fastify } from 'fastify'" },
    'src/ui/request.ts imports fastify: a plain .ts file imports only plain .ts files (rule 4)',
  ],
  [
    'rule 5: a route may not import sql',
    { 'src/files/files.routes.ts': "import { type Kysely, sql } from 'kysely'" },
    'src/files/files.routes.ts uses sql from kysely: SQL lives only in .db.ts (rule 5)',
  ],
  [
    'rule 5: all of kysely includes sql',
    { 'src/server/jobs.ts': "import * as kysely from 'kysely'" },
    'src/server/jobs.ts uses sql from kysely: SQL lives only in .db.ts (rule 5)',
  ],
  ...['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'query', 'executeQuery'].map(
    (call): [string, Tree, string] => [
      `rule 5: a route may not call ${call}()`,
      { 'src/files/files.routes.ts': `const rows = await db\n  .${call}('files')` },
      `src/files/files.routes.ts uses ${call}(): SQL lives only in .db.ts (rule 5)`,
    ],
  ),
  [
    'rule 5: a query with its type is a query',
    { 'src/server/jobs.ts': "await db.query<{ id: number }>('select 1')" },
    'src/server/jobs.ts uses query(): SQL lives only in .db.ts (rule 5)',
  ],
  [
    'rule 5: the top may not hold SQL either',
    { 'src/start.ts': "await db.deleteFrom('files').execute()" },
    'src/start.ts uses deleteFrom(): SQL lives only in .db.ts (rule 5)',
  ],
  ...['FastifyRequest', 'FastifyReply', 'FastifyInstance'].map((name): [string, Tree, string] => [
    `rule 5: SQL may not know ${name}`,
    { 'src/files/files.db.ts': `import type { ${name} } from 'fastify'` },
    `src/files/files.db.ts uses ${name}: requests are met only in .routes.ts and server/http (rule 5)`,
  ]),
  [
    'rule 5: the top, app.ts apart, may not meet requests',
    { 'src/start.ts': "import type { FastifyInstance } from 'fastify'" },
    'src/start.ts uses FastifyInstance: requests are met only in .routes.ts and server/http (rule 5)',
  ],
  [
    'rule 5: a route may not touch the disk',
    { 'src/files/content.routes.ts': "import { createReadStream } from 'node:fs'" },
    'src/files/content.routes.ts imports node:fs: the disk is touched only behind storage.ts and in copies (rule 5)',
  ],
  [
    'rule 5: the app may not touch the disk',
    { 'src/app.ts': "import { readFile } from 'node:fs/promises'" },
    'src/app.ts imports node:fs/promises: the disk is touched only behind storage.ts and in copies (rule 5)',
  ],
  [
    'rule 5: server, its http apart, may not meet requests',
    { 'src/server/storage/storage.ts': "import type { FastifyReply } from 'fastify'" },
    'src/server/storage/storage.ts uses FastifyReply: requests are met only in .routes.ts and server/http (rule 5)',
  ],
  [
    'rule 5: SQL stands in .db.ts in server too, its database apart',
    { 'src/server/storage/blobs.ts': "await db.selectFrom('blobs')" },
    'src/server/storage/blobs.ts uses selectFrom(): SQL lives only in .db.ts (rule 5)',
  ],
  [
    'rule 5: a route may not open a transaction',
    { 'src/files/change.routes.ts': 'await db.transaction().execute(work)' },
    'src/files/change.routes.ts uses transaction(): a transaction is opened only in .db.ts (rule 5)',
  ],
  [
    'rule 5: a route may not open a transaction by another name',
    {
      'src/files/change.routes.ts': "import { transactional } from '../server/database/database.ts'",
    },
    'src/files/change.routes.ts uses transactional(): a transaction is opened only in .db.ts (rule 5)',
  ],
  [
    'rule 5: a page has no Node',
    { 'src/files/files-page.tsx': "import { join } from 'node:path'" },
    'src/files/files-page.tsx imports node:path: what runs in the browser has no Node (rule 5)',
  ],
  [
    'rule 5: a server file of a room may not touch the disk',
    { 'src/report/zip.server.ts': "import { open } from 'node:fs/promises'" },
    'src/report/zip.server.ts imports node:fs/promises: the disk is touched only behind storage.ts and in copies (rule 5)',
  ],
  [
    'rule 6: no circle, types included',
    { 'src/base/a.ts': "import { b } from './b.ts'", 'src/base/b.ts': "import type { A } from './a.ts'" },
    'src/base/a.ts → src/base/b.ts → src/base/a.ts: imports form a circle (rule 6)',
  ],
  [
    'rule 7: a .routes.ts file meets requests',
    { 'src/files/upload-form.routes.ts': 'export const form = 1' },
    'src/files/upload-form.routes.ts: it meets no request (rule 7)',
  ],
  [
    'rule 7: a .db.ts file has SQL',
    { 'src/files/order.db.ts': 'export const order = 1' },
    'src/files/order.db.ts: it has no SQL (rule 7)',
  ],
  [
    'rule 8: no type with the name of a global',
    { 'src/server/storage/storage.ts': 'export interface Storage {}' },
    'src/server/storage/storage.ts: Storage is the name of a global (rule 8)',
  ],
  [
    'rule 8: no class with the name of a global, in tests neither',
    { 'src/files/order.test.ts': 'class File {}' },
    'src/files/order.test.ts: File is the name of a global (rule 8)',
  ],
  [
    'rule 8: no import with the name of a global',
    { 'src/files/icon.tsx': "import { File } from 'lucide-react'" },
    'src/files/icon.tsx: File is the name of a global (rule 8)',
  ],
  [
    'rule 9: no folder with more than 25 files',
    Object.fromEntries(Array.from({ length: 26 }, (_, number) => [`src/files/list/file-${number}.ts`, ''])),
    'src/files/list has 26 files, more than 25 (rule 9)',
  ],
  [
    'rule 6: no index.ts',
    { 'src/files/index.ts': 'export const a = 1' },
    'src/files/index.ts: the name index does not say what is inside (rule 8)',
  ],
  [
    'rule 6: no export of everything',
    { 'src/files/order.ts': "export * from './stored-file.ts'\nexport const a = 1" },
    'src/files/order.ts: no barrels, import from the file itself (rule 6)',
  ],
  [
    'rule 6: no export of everything under a name',
    { 'src/files/order.ts': "export * as stored from './stored-file.ts'\nexport const a = 1" },
    'src/files/order.ts: no barrels, import from the file itself (rule 6)',
  ],
  [
    'rule 6: no file that only passes exports on',
    { 'src/files/all.ts': "export { a } from './a.ts'\nexport type { B } from './b.ts'\n// all\n" },
    'src/files/all.ts: no barrels, import from the file itself (rule 6)',
  ],
  [
    'rule 6: no default export',
    { 'src/files/order.ts': 'export default function order() {}' },
    'src/files/order.ts: no default exports (rule 6)',
  ],
  [
    'rule 6: no default export by another name',
    { 'src/files/order.ts': 'const order = 1\nexport { order as default }' },
    'src/files/order.ts: no default exports (rule 6)',
  ],
  [
    'rule 6: no default export in a test',
    { 'src/files/order.test.ts': 'export default 1' },
    'src/files/order.test.ts: no default exports (rule 6)',
  ],
  [
    'rule 6: no circle of two',
    { 'src/base/a.ts': "import { b } from './b.ts'", 'src/base/b.ts': "import { a } from './a.ts'" },
    'src/base/a.ts → src/base/b.ts → src/base/a.ts: imports form a circle (rule 6)',
  ],
  [
    'rule 6: no circle of three, behind a way in',
    {
      'src/app.ts': "import { a } from './base/a.ts'",
      'src/base/a.ts': "import { b } from './b.ts'",
      'src/base/b.ts': "export { c } from './c.ts'\nexport const b = 1",
      'src/base/c.ts': "const a = () => import('./a.ts')",
    },
    'src/base/a.ts → src/base/b.ts → src/base/c.ts → src/base/a.ts: imports form a circle (rule 6)',
  ],
  [
    'rule 6: no import of oneself',
    { 'src/base/a.ts': "import { a } from './a.ts'" },
    'src/base/a.ts → src/base/a.ts: imports form a circle (rule 6)',
  ],
  [
    'rule 6: a relative import carries its extension',
    { 'src/files/files-page.tsx': "import { order } from './order'" },
    "src/files/files-page.tsx imports './order': it lacks the file's extension (rule 6)",
  ],
  [
    'rule 6: .db is no extension, in types neither',
    { 'src/files/files-page.tsx': "import type { Row } from './files.db'" },
    "src/files/files-page.tsx imports './files.db': it lacks the file's extension (rule 6)",
  ],
  [
    'rule 6: .js is not the extension of a .ts file, in tests neither',
    { 'src/files/order.test.ts': "import { order } from './order.js'" },
    "src/files/order.test.ts imports './order.js': it lacks the file's extension (rule 6)",
  ],
  [
    'rule 8: no camelCase',
    { 'src/files/fileRow.tsx': '' },
    'src/files/fileRow.tsx: fileRow is not kebab-case with a known suffix (rule 8)',
  ],
  [
    'rule 8: no unknown suffix',
    { 'src/files/files.store.ts': '' },
    'src/files/files.store.ts: files.store is not kebab-case with a known suffix (rule 8)',
  ],
  [
    'rule 8: no camelCase folder',
    { 'src/files/moveMenu/menu.tsx': '' },
    'src/files/moveMenu/menu.tsx: moveMenu is not kebab-case with a known suffix (rule 8)',
  ],
  ...['utils', 'helpers', 'common', 'misc', 'manager', 'service', 'types', 'constants'].map(
    (name): [string, Tree, string] => [
      `rule 8: no ${name}.ts`,
      { [`src/files/${name}.ts`]: '' },
      `src/files/${name}.ts: the name ${name} does not say what is inside (rule 8)`,
    ],
  ),
  [
    'rule 8: no service with a first name',
    { 'src/files/file-service.ts': '' },
    'src/files/file-service.ts: the name file-service does not say what is inside (rule 8)',
  ],
]

describe('a broken rule is found', () => {
  it.each(BROKEN)('%s', (_name, tree, line) => {
    expect(faultsOf(tree)).toContain(line)
  })
})

const ALLOWED: [name: string, tree: Tree][] = [
  ['rule 1: base imports base', { 'src/base/money.ts': "import { round } from './text.ts'" }],
  [
    'rule 1: ui imports base and ui',
    { 'src/ui/table.tsx': "import { sort } from '../base/sort.ts'\nimport { Pager } from './pager.tsx'" },
  ],
  [
    'rule 1: server imports base and server',
    {
      'src/server/jobs.ts': "import { sort } from '../base/sort.ts'\nimport { connect } from './database.ts'",
    },
  ],
  [
    'rule 1: a room imports ui and base',
    {
      'src/files/files-page.tsx':
        "import { sort } from '../base/sort.ts'\nimport { Pager } from '../ui/pager.tsx'",
    },
  ],
  [
    'rule 1: a room imports server',
    { 'src/files/files-title.server.ts': "import { notFound } from '../server/http/errors.ts'" },
  ],
  [
    'rule 1: a room imports a lower room',
    { 'src/people/people.server.ts': "import { addLine } from '../log/log.db.ts'" },
  ],
  [
    'rule 1: server takes types from ui',
    { 'src/server/render.ts': "import type { Frame } from '../ui/frame.ts'" },
  ],
  [
    'rule 1: server takes the type of a whole file of ui',
    { 'src/server/render.ts': "type Frame = typeof import('../ui/frame.ts')" },
  ],
  [
    'rule 1: ui takes types from server',
    { 'src/ui/pager.tsx': "import type { Page } from '../server/list-query.ts'" },
  ],
  [
    'rule 1: a test imports what it likes',
    {
      'src/base/sort.test.ts':
        "import { makeFile } from '../../test/make.ts'\nimport { readFile } from 'node:fs/promises'\nimport { sql } from 'kysely'\nimport { buildApp } from '../app.ts'",
    },
  ],
  [
    'rule 1: a value may be called type',
    { 'src/ui/field.tsx': "import type from './field-type.ts'\nimport { type, as } from './words.ts'" },
  ],
  [
    'rule 2: everyone reads urls.ts and rights.ts',
    {
      'src/base/text.ts': "import { urls } from '../urls.ts'",
      'src/ui/link.tsx': "import { urls } from '../urls.ts'",
      'src/server/permit.ts': "import { rights } from '../rights.ts'",
      'src/files/order.ts': "import { rights } from '../rights.ts'",
    },
  ],
  [
    'rule 2: config.ts and pages.ts are named in types',
    {
      'src/server/parts.ts': "import type { Config } from '../config.ts'",
      'src/server/render.ts': "import type { Envelope } from '../pages.ts'",
      'src/ui/shell.tsx': "import type { PageName } from '../pages.ts'",
    },
  ],
  [
    'rule 2: the top names app.ts and pages.ts',
    {
      'src/start.ts': "import { buildApp } from './app.ts'",
      'src/page-tree.tsx': "import { pages, type Envelope } from './pages.ts'",
    },
  ],
  [
    'rule 3: a page takes types from the server',
    {
      'src/files/files-page.tsx':
        "import type { FileRow } from './files.db.ts'\nimport type { Answer } from './files.routes.ts'\nimport type { Page } from '../server/list-query.ts'",
    },
  ],
  [
    'rule 3: a hook imports React and screens',
    {
      'src/files/use-file-order.ts':
        "import { useState } from 'react'\nimport { toast } from '../ui/toast.tsx'",
    },
  ],
  [
    'rule 4: a rule imports rules and types',
    {
      'src/files/order.ts':
        "import { sort } from '../base/sort.ts'\nimport type { Row } from './files.db.ts'\nimport type { ReactNode } from 'react'",
    },
  ],
  ['rule 4: plain ui imports React', { 'src/ui/frame.ts': "import { createContext } from 'react'" }],
  [
    'rule 5: SQL in .db.ts and migrate.ts',
    {
      'src/files/files.db.ts': "import { sql } from 'kysely'\ndb.selectFrom('files')",
      'src/server/database/migrate.ts': "import { sql } from 'kysely'",
      'src/server/database/built-in-postgres.ts': "admin.query('select 1')",
    },
  ],
  [
    'rule 5: the query of an address is not SQL',
    { 'src/server/http/address.ts': 'const { page } = request.query\nconst sorted = query(page)' },
  ],
  [
    'rule 5: the rest of kysely is not SQL',
    {
      'src/server/parts.ts': "import { Kysely } from 'kysely'",
      'src/server/jobs.ts': "import type { sql } from 'kysely'\nimport { sql } from './words.ts'",
    },
  ],
  [
    'rule 5: requests in .routes.ts, server/http and app.ts',
    {
      'src/files/files.routes.ts': "import type { FastifyInstance } from 'fastify'",
      'src/server/http/permit.ts': "import type { FastifyRequest, FastifyReply } from 'fastify'",
      'src/app.ts': "import { fastify, type FastifyInstance } from 'fastify'",
    },
  ],
  [
    'rule 5: the disk in storage, in copies, in moving/out and at the start',
    {
      'src/moving/out/place.server.ts': "import { open } from 'node:fs/promises'",
      'src/server/storage/storage-disk.ts': "import { open } from 'node:fs/promises'",
      'src/copies/archive-writer.server.ts': "import { open } from 'node:fs/promises'",
      'src/start.ts': "import { readFile } from 'node:fs/promises'",
      'src/server.ts': "import { readFileSync } from 'node:fs'",
    },
  ],
  [
    'rule 1: a room inside server sees lower ones, and a file above them all of them',
    {
      'src/server/http/render.ts': "import { isDatabaseGone } from '../database/database.ts'",
      'src/server/jobs.ts': "import { connect } from './database/database.ts'",
    },
  ],
  [
    'rule 2: a table imports tables, and the settings their kinds',
    {
      'src/navigation.ts': "import { may } from './rights.ts'",
      'src/settings.ts': "import { wholeNumber } from './server/process/setting-kinds.ts'",
    },
  ],
  [
    'rule 5: a transaction in .db.ts',
    {
      'src/files/change.db.ts':
        "import { transactional } from '../server/database/database.ts'\nawait trx.deleteFrom('files')\nawait db.transaction()",
    },
  ],
  [
    'rule 7: a .routes.ts file may only read a request, and a .db.ts file only pass a transaction on',
    {
      'src/log/actor.routes.ts': "import type { FastifyRequest } from 'fastify'",
      'src/log/disk-notice.db.ts': "import type { Database } from '../server/database/database.ts'",
    },
  ],
  [
    'rule 8: a local name may be that of a global',
    { 'src/report/read.ts': 'function read() {\n  const Text = 1\n  return Text\n}' },
  ],
  [
    'rule 9: 25 files and their tests',
    Object.fromEntries(
      Array.from({ length: 25 }, (_, number) => [
        [`src/files/list/file-${number}.ts`, ''],
        [`src/files/list/file-${number}.test.ts`, ''],
      ]).flat(),
    ),
  ],
  [
    'rule 6: the table of pages closes no circle',
    {
      'src/pages.ts': "export const pages = { a: () => import('./page-tree.tsx') }",
      'src/page-tree.tsx': "import { pages } from './pages.ts'",
    },
  ],
  [
    'rule 6: a package is imported by its default',
    {
      'src/server/database.ts':
        "import pg, { type Pool } from 'pg'\nimport { default as mail } from 'nodemailer'",
    },
  ],
  [
    'rule 6: styles and pictures have extensions too',
    { 'src/client.tsx': "import './ui/styles.css'\nimport icon from './ui/icon.svg?url'" },
  ],
  [
    'a comment is no code',
    {
      'src/files/order.ts':
        "// import { a } from './a.db.ts'\n/* export default 1\nimport 'node:fs' */\nexport const a = 1",
    },
  ],
  [
    'a text is no code',
    {
      'src/files/order.ts':
        'const a = "import { a } from \'./a.db.ts\'"\nconst b = `\nexport default 1 ${c(`.query(`)} .query(`',
    },
  ],
  [
    'a text that looks like a comment hides nothing',
    { 'src/files/order.ts': "const a = 'https://'\nconst b = /[/*]'/\nconst c = 1" },
  ],
  [
    'rule 8: the known suffixes',
    {
      'src/files/files.db.test.ts': '',
      'src/files/files.server.ts': '',
      'src/files/files.routes.test.ts': '',
      'src/files/room.jobs.ts': '',
      'src/files/file-row.test.tsx': '',
      'src/files/file-types.ts': '',
      'src/files/service-area.ts': '',
      'src/ui/use-list.ts': '',
    },
  ],
]

describe('what is allowed is no fault', () => {
  it.each(ALLOWED)('%s', (_name, tree) => {
    expect(faultsOf(tree)).toEqual([])
  })
})

it('code after a text that looks like a comment is still read', () => {
  const source = "const a = 'https://'; const b = /[/*]'/; export default a // it's\n"
  expect(faultsOf({ 'src/base/a.ts': source })).toEqual(['src/base/a.ts: no default exports (rule 6)'])
})

// A path may leave out how it begins: `http/permit.ts` is found as `src/server/http/permit.ts`.
it.each(['tour', 'house', 'recipes'])('every file named in docs/%s.md exists', async (name) => {
  const text = await readFile(`${ROOT}/docs/${name}.md`, 'utf8')
  const prose = text.replace(/^ *```[^]*?^ *```/gm, '')
  const named = [...prose.matchAll(/`(\w[\w./-]*\.(?:tsx?|sql|css|md|txt|json|html))`/g)].map(
    ([, path]) => path!,
  )
  const files = await Array.fromAsync(
    glob(['*', '{src,test,db,docs,demo,scripts,bench}/**/*.*'], { cwd: ROOT }),
  )
  const isThere = (path: string) => files.some((file) => `/${file}`.endsWith(`/${path}`))
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !isThere(path))).toEqual([])
})

it('every rule that a fault cites is in docs/house.md', async () => {
  const law = await readFile(`${ROOT}/docs/house.md`, 'utf8')
  const cited = BROKEN.map(([, , line]) => /\(rule (\d)\)$/.exec(line)?.[1] ?? '')
  expect([...new Set(cited)].sort()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  expect(cited.filter((number) => !new RegExp(`^${number}\\. \\*\\*`, 'm').test(law))).toEqual([])
})

// Several ways of writing are right; one of them is ours.
it('no imperative on the screen, in mails or in the manual has an accent, and all quotation marks are ”these”', async () => {
  const texts = await Array.fromAsync(
    glob(['{src,demo}/**/*.{ts,tsx}', 'docs/brugervejledning.md'], { cwd: ROOT, exclude: ['**/*.test.*'] }),
  )
  const found = await Promise.all(
    texts.map(async (path) =>
      (await readFile(`${ROOT}/${path}`, 'utf8')).match(/[\p{L}]{2,}ér(?!\p{L})|[“„»«][\p{L}\d{$]+/gu),
    ),
  )
  expect(texts.length).toBeGreaterThan(300)
  expect(found.flatMap((words) => words ?? [])).toEqual([])
})
