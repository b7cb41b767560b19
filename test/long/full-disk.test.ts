import { spawnSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { globSync, rmSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { keepHouse } from '../../src/work.ts'
import { freshApp, type TestApp } from '../app.ts'
import { afterwards } from '../clean-up.ts'
import { freshDirectory } from '../directory.ts'
import { enter } from '../enter.ts'
import { foldersByName, makeProject } from '../make.ts'

const MB = 1_000_000
const FREE = 4 * MB
const PIECE = 2 * MB
const FULL = 'Der er ikke mere plads på serveren.'

it(
  'a full disk is reported at the file and damages nothing, and the upload can be resumed',
  { timeout: 120_000 },
  async (context) => {
    const disk = await freshDirectory()
    const refusal = mount(disk)
    if (refusal) {
      console.warn(`SKIPPED: the full disk was not tried, since a small one cannot be mounted: ${refusal}`)
      context.skip(refusal)
    }
    const test = await freshApp({
      env: { DATA_DIR: disk, REQUESTS_PER_MINUTE: '100000', DISK_RESERVE_BYTES: '0' },
    })
    const office = await open(test)
    const project = await makeProject(test.db)
    const folder = (await foldersByName(test.db, project.id)).Budget!
    const ballast = join(disk, 'ballast')
    // Announced while there is space: later it would be refused at once.
    const large = pdf(7 * MB)
    const path = await office.announce('I stykker.pdf', large.length)
    await fillUp(disk, ballast)

    // Small files still fit.
    const [before, waiting] = [pdf(300_000), pdf(300_000)]
    const [first] = (await office.upload([['Før.pdf', before]])).body as TemporaryFile[]
    expect((await office.save(project.id, folder, first!)).status).toBe(200)
    const [second] = (await office.upload([['Venter.pdf', waiting]])).body as TemporaryFile[]
    const kept = await blobsOf(test)

    // A call that does not fit leaves nothing, not even the files before the one that failed.
    const files: [string, Buffer<ArrayBuffer>][] = [
      ['Lille.pdf', pdf(1000)],
      ['Stor.pdf', pdf(6 * MB)],
      ['Bagefter.pdf', pdf(1000)],
    ]
    const refused = await office.upload(files)
    expect(refused).toMatchObject({
      status: 507,
      body: {
        message: FULL,
        errors: { 'files.1': ['Der er ikke plads til Stor.pdf på serveren. Giv kontoret besked.'] },
      },
    })
    expect(await blobsOf(test)).toEqual(kept)

    // An upload in pieces fails at one piece, and keeps the pieces before it.
    let offset = 0
    let answer = await office.sendPiece(path, large, offset)
    for (; answer.status === 204; answer = await office.sendPiece(path, large, offset)) offset += PIECE
    expect(offset).toBeGreaterThan(0)
    expect(answer).toMatchObject({
      status: 507,
      body: {
        message: FULL,
        errors: { 'files.0': ['Der er ikke plads til I stykker.pdf på serveren. Giv kontoret besked.'] },
      },
    })
    const [told, reached] = [offset, await office.offsetOf(path)]
    expect(reached).toBeGreaterThanOrEqual(offset)
    expect(reached).toBeLessThan(offset + PIECE)

    // With no byte left, existing files can still be read and saved, and no new ones are accepted.
    await fillUp(disk, join(disk, 'more'), 0)
    expect((await office.upload([['Lille.pdf', pdf(100_000)]])).status).toBe(507)
    expect((await office.sendPiece(path, large, reached)).status).toBe(507)
    expect(await office.offsetOf(path)).toBe(reached)
    expect((await office.save(project.id, folder, second!)).status).toBe(200)
    const expected = [before, waiting].map(sha256)
    expect(await office.read(project.id, folder)).toEqual(expected)

    // With space again, the upload resumes where it stopped.
    rmSync(ballast)
    for (offset = reached; offset < large.length; offset = await office.offsetOf(path))
      expect((await office.sendPiece(path, large, offset)).status).toBe(204)
    const third = { name: 'I stykker.pdf', hash_name: path.split('/').at(-1)! }
    expect((await office.save(project.id, folder, third)).status).toBe(200)
    const again = await office.upload([['Lille.pdf', pdf(1000)]])
    expect(again.status).toBe(200)
    expect(await office.read(project.id, folder)).toEqual([...expected, sha256(large)])

    console.log('full disk:', { free: FREE, acknowledged: told, reached, size: large.length })
    // No partial files are left.
    await sql`update temporary_files set created_at = now() - interval '25 hours'`.execute(test.db)
    await sql`update blobs set created_at = now() - interval '49 hours' where state = 'pending'`.execute(
      test.db,
    )
    await keepHouse(test)
    const left = await blobsOf(test)
    expect(left.map(({ state }) => state)).toEqual(['stored', 'stored', 'stored'])
    const onDisk = globSync('??/*', { cwd: join(disk, 'files') }).map((name) => name.replace('/', ''))
    expect(onDisk.toSorted()).toEqual(left.map(({ key }) => key).toSorted())
    expect(await office.read(project.id, folder)).toEqual([...expected, sha256(large)])
  },
)

/** Mounts a tmpfs and unmounts it after the test. Returns why it cannot, or null. */
function mount(directory: string): string | null {
  if (process.platform !== 'linux') return 'only Linux has a tmpfs'
  if (process.geteuid?.() !== 0) return 'only root may mount'
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, [...args, directory], { encoding: 'utf8' })
  const { status, stderr, error } = run('mount', '-t', 'tmpfs', '-o', 'size=14m,mode=711', 'ringbind-test')
  if (status !== 0) return (error?.message ?? stderr).trim()
  afterwards(async () => {
    if (run('umount').status !== 0) expect(run('umount', '--lazy').status).toBe(0)
  })
  return null
}

/** Fills the disk except for `free` bytes. */
async function fillUp(disk: string, file: string, free = FREE): Promise<void> {
  const { bavail, bsize } = await statfs(disk)
  writeFileSync(file, Buffer.alloc(bavail * bsize - free))
}

const pdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(size)])
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const blobsOf = ({ db }: TestApp) => db.selectFrom('blobs').select(['key', 'state']).orderBy('id').execute()

type Answer = { status: number; headers: Headers; body: unknown }

/** Signs an employee in who calls over a real socket. */
async function open(test: TestApp) {
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = test.app.server.address() as AddressInfo
  const { visitor } = await enter(test, 'employee')
  await visitor.get('/findes-ikke') // sets the token
  const own = {
    accept: 'application/json',
    cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!),
    'x-requested-with': 'XMLHttpRequest',
    'tus-resumable': '1.0.0',
  }
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: own })
  const send = async (method: string, path: string, body?: BodyInit, headers = {}): Promise<Answer> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...own, ...headers },
      ...(body !== undefined && { body }),
    })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, body: text === '' ? null : JSON.parse(text) }
  }
  return {
    upload(files: [string, Buffer<ArrayBuffer>][]) {
      const form = new FormData()
      files.forEach(([name, bytes], index) => form.set(`files[${index}]`, new Blob([bytes]), name))
      return send('POST', urls.temporaryUpload, form)
    },
    async announce(name: string, size: number): Promise<string> {
      const { headers } = await send('POST', urls.tus, undefined, {
        'upload-length': String(size),
        'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
      })
      return headers.get('location')!
    },
    sendPiece: (path: string, bytes: Buffer<ArrayBuffer>, offset: number) =>
      send('PATCH', path, bytes.subarray(offset, offset + PIECE), {
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
      }),
    offsetOf: async (path: string) => Number((await send('HEAD', path)).headers.get('upload-offset') ?? NaN),
    save: (project: number, folder: number, file: { name: string; hash_name: string }) =>
      send(
        'POST',
        urls.uploadTo(project, folder),
        JSON.stringify({
          submission: randomUUID(),
          files: { f0: { name: file.name, data: file.hash_name } },
        }),
        { 'content-type': 'application/json' },
      ),
    /** Downloads a folder's files, in the order they were stored. */
    async read(project: number, folder: number): Promise<string[]> {
      const { rows } = await sql<{ path: string }>`
        select key || '/' || name as path from files where folder_id = ${folder} order by id`.execute(test.db)
      const served: string[] = []
      for (const { path } of rows) {
        const reply = await get(fileUrls.download({ project }, path))
        expect(reply.status).toBe(200)
        served.push(sha256(Buffer.from(await reply.arrayBuffer())))
      }
      return served
    },
  }
}
