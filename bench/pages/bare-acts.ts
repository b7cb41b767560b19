import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { urls } from '../../src/urls.ts'
import { openThrowAway } from '../../demo/throw-away.ts'
import { measureCost } from '../measure/processor.ts'
import type { FilesOffice } from '../office/files-office.ts'
import { blocks, call } from '../office/send.ts'
import { startServer, type ServerProcess } from '../office/server-process.ts'

const CONNECTIONS = 8
export const GIB = 2 ** 30
export const SMALL = 100_000

/** The least cost of an act: bytes from memory, bytes from the disk, one committed change, bytes to the disk. */
export type Bare = keyof typeof BARE_NAMES
export const BARE_NAMES = {
  bytes: 'bare Fastify',
  file: '@fastify/static',
  change: 'one committed change',
  write: 'bytes to the disk',
}

/** Does something `times` times, a few at once. */
export async function many(
  times: number,
  work: (index: number) => Promise<unknown>,
  atOnce = CONNECTIONS,
): Promise<void> {
  let next = 0
  const goOn = async () => {
    while (next < times) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, goOn))
}

export type Bares = AsyncDisposable & { cost: (bare: Bare, times: number) => Promise<number> }

export async function startBares(office: FilesOffice): Promise<Bares> {
  await using open = new AsyncDisposableStack()
  const directory = await openThrowAway('bench-bare')
  open.defer(() => directory.remove())
  mkdirSync(directory.path, { recursive: true })
  const [page, file] = [join(directory.path, 'page'), join(directory.path, 'file')]
  const { text } = await call(office.url + urls.files(office.projectIds[0]!), 'GET', office.headers)
  writeFileSync(page, text)
  writeFileSync(file, Buffer.concat([...blocks(SMALL)]))
  await office.sql.query('create table bare (id integer primary key, number integer not null)')
  await office.sql.query('insert into bare values (1, 0)')
  const SOCKET = join(office.dataDir, 'postgres/run')
  const bytes = open.use(await startServer('bench/bare/bare-bytes.ts', { FILE: page, SOCKET }))
  const statics = open.use(await startServer('bench/bare/bare-static.ts', { ROOT: directory.path }))
  const writer = open.use(
    await startServer('bench/bare/bare-write.ts', { FILE: join(directory.path, 'bare') }),
  )
  const write = async (size: number) => {
    await call(writer.url, 'PUT', { 'content-length': String(size) }, blocks(size))
    await call(writer.url, 'DELETE')
  }
  const works: Record<Bare, { server: ServerProcess; work: (times: number) => Promise<unknown> }> = {
    bytes: { server: bytes, work: (times) => many(times, () => call(`${bytes.url}/bytes`, 'GET')) },
    file: { server: statics, work: (times) => many(times, () => call(`${statics.url}/files/file`, 'GET')) },
    change: { server: bytes, work: (times) => many(times, () => call(`${bytes.url}/change`, 'POST')) },
    write: {
      server: writer,
      work: (times) => (times < 1 ? write(times * GIB) : many(times, () => write(SMALL), 1)),
    },
  }
  const opened = open.move()
  return {
    cost: async (bare, times) => {
      const { server, work } = works[bare]
      const [own, database] = [server.pid, office.pid]
      const cost = await measureCost([own, database], times, () => work(times))
      return bare === 'change' ? cost.node + cost.postgres : cost.node
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
