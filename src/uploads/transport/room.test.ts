import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { lookAtDisk } from '../../log/machine/disk-notice.db.ts'
import { listNotices } from '../../log/notices/notices.db.ts'
import { openDiskRoom, usualReserve } from '../../server/storage/disk-room.ts'
import { urls } from '../../urls.ts'
import type { TemporaryFile } from './temporary-file.ts'
import { announceTemporaryFile } from './temporary.db.ts'

type Answer = { status: number; location: string | null; body: unknown }

/** Calls over a real socket. */
async function open(test: TestApp, { visitor }: Entered) {
  if (!test.app.server.listening) await test.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = test.app.server.address() as AddressInfo
  await visitor.get('/findes-ikke') // for the token
  const own = {
    accept: 'application/json',
    cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!),
    'x-requested-with': 'XMLHttpRequest',
    'tus-resumable': '1.0.0',
  }
  const send = async (method: string, path: string, body?: BodyInit, headers = {}): Promise<Answer> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...own, ...headers },
      ...(body !== undefined && { body }),
    })
    const text = await reply.text()
    return {
      status: reply.status,
      location: reply.headers.get('location'),
      body: text === '' ? null : JSON.parse(text),
    }
  }
  return {
    upload(...files: [name: string, size: number][]) {
      const form = new FormData()
      files.forEach(([name, size], index) => form.set(`files[${index}]`, new Blob([pdf(size)]), name))
      return send('POST', urls.temporaryUpload, form)
    },
    announce: (name: string, size: number) =>
      send('POST', urls.tus, undefined, {
        'upload-length': String(size),
        'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
      }),
    sendPiece: (hash: string, size: number) =>
      send('PATCH', urls.temporaryFile(hash), pdf(size), {
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
      }),
    async image() {
      const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(bytes)]), 'mig.png')
      return send('POST', urls.profileImage, form)
    },
    submit: (file: TemporaryFile) =>
      send(
        'POST',
        urls.myFiles,
        JSON.stringify({
          submission: randomUUID(),
          files: { f0: { name: file.name, mime: file.type, data: file.hash_name } },
        }),
        { 'content-type': 'application/json' },
      ),
  }
}

function pdf(size: number): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from('%PDF-1.7 '), Buffer.alloc(size - 9, 'x')])
}

describe('a disk with less room than its reserve', () => {
  const full = (field: string, name: string) => ({
    status: 507,
    body: {
      code: 'full',
      message: 'Der er ikke mere plads på serveren.',
      errors: { [field]: [`Der er ikke plads til ${name} på serveren. Giv kontoret besked.`] },
    },
  })

  it('a disk below its reserve accepts no file, tells the office, and everything else works', async () => {
    const test = await freshApp({ env: { DISK_RESERVE_BYTES: String(Number.MAX_SAFE_INTEGER) } })
    const employee = await enter(test, 'employee')
    const office = await open(test, employee)
    await test.db.deleteFrom('notices').execute()
    expect(await office.upload(['Lille.pdf', 1000])).toMatchObject(full('files.0', 'Lille.pdf'))
    // The refused upload reports it, not the check every minute.
    await expect.poll(() => listNotices(test.db, 'employee')).toMatchObject([{ kind: 'disk-low' }])
    expect(await office.upload(['Stor.pdf', 600_000])).toMatchObject(full('files.0', 'Stor.pdf'))
    expect(await office.announce('I stykker.pdf', 600_000)).toMatchObject(full('files.0', 'I stykker.pdf'))
    const { hashName } = await announceTemporaryFile(test.db, employee.id, {
      name: 'Begyndt.pdf',
      size: 1000,
    })
    expect(await office.sendPiece(hashName, 500)).toMatchObject(full('files.0', 'Begyndt.pdf'))
    const text = 'Der er ikke plads til billedet på serveren. Giv kontoret besked.'
    expect(await office.image()).toMatchObject({ status: 507, body: { errors: { file: [text] } } })
    const { rows } = await sql<{ kept: number }>`
      select count(*) as kept from blobs where state <> 'pending'`.execute(test.db)
    expect(rows).toEqual([{ kept: 0 }])
    expect((await employee.visitor.get(urls.start)).body).toContain('ledig plads på serveren')
  })

  it('the disk is checked regularly, and the office is told when room runs out and when it is back', async () => {
    const test = await freshApp({ hasJobs: false })
    const { db } = test
    const config = { dataDir: await freshDirectory() } // the app looks at its own disk meanwhile
    const withReserve = (bytes: number) => ({
      db,
      config,
      storage: { ...test.storage, room: openDiskRoom(config.dataDir, bytes) },
    })
    await lookAtDisk(withReserve(Number.MAX_SAFE_INTEGER))
    expect(await listNotices(db, 'administrator')).toMatchObject([{ kind: 'disk-low' }])
    // Another instance's disk does not affect this one's.
    await lookAtDisk({ ...withReserve(0), config: { dataDir: '/elsewhere' } })
    expect(await listNotices(db, 'administrator')).toHaveLength(1)
    await lookAtDisk(withReserve(0))
    expect(await listNotices(db, 'administrator')).toEqual([])
  })

  it.each([
    [100e9, 1e9],
    [4e9, 1e9],
    [2e9, 0.5e9],
    [400e6, 100e6],
  ])('of a disk of %d bytes, %d are kept free', (disk, kept) => {
    expect(usualReserve(disk)).toBe(kept)
  })
})

describe('an investor’s own files', () => {
  const text = (name: string) =>
    `Der er ikke plads til ${name}: Dine filer må højst fylde 97.66 KB i alt. Kontakt kontoret, hvis du skal sende flere.`
  const refused = (name: string) => ({ status: 422, body: { errors: { 'files.0': [text(name)] } } })

  it('an investor’s own files have a total limit, submitted or not; the office’s have none', async () => {
    const test = await freshApp({ hasJobs: false, env: { INVESTOR_BYTES: '100000' } })
    const person = await enter(test, 'investor')
    const investor = await open(test, person)
    const { body } = await investor.upload(['Gemt.pdf', 60_000])
    expect((await investor.submit((body as TemporaryFile[])[0]!)).status).toBe(200)
    expect((await investor.upload(['Venter.pdf', 30_000])).status).toBe(200)
    expect(await investor.upload(['Lille.pdf', 20_000])).toMatchObject(refused('Lille.pdf'))
    expect(await investor.upload(['Stor.pdf', 300_000])).toMatchObject(refused('Stor.pdf'))
    expect(await investor.announce('I stykker.pdf', 20_000)).toMatchObject(refused('I stykker.pdf'))
    expect((await investor.upload(['Rest.pdf', 5_000])).status).toBe(200)

    // Files in the trash still take room on the disk.
    await sql`update files set deleted_at = now()`.execute(test.db)
    expect(await investor.upload(['Lille.pdf', 20_000])).toMatchObject(refused('Lille.pdf'))
    const office = await open(test, await enter(test, 'employee'))
    expect((await office.upload(['Stor.pdf', 300_000])).status).toBe(200)
    const other = await open(test, await enter(test, 'investor'))
    expect((await other.upload(['Lille.pdf', 20_000])).status).toBe(200)
  })

  it('files that the office has put there do not count as the investor’s own', async () => {
    const test = await freshApp({ hasJobs: false, env: { INVESTOR_BYTES: '100000' } })
    const person = await enter(test, 'investor')
    const investor = await open(test, person)
    const { body } = await investor.upload(['Fra kontoret.pdf', 90_000])
    expect((await investor.submit((body as TemporaryFile[])[0]!)).status).toBe(200)
    await sql`update files set uploaded_by = null`.execute(test.db)
    expect((await investor.upload(['Egen.pdf', 90_000])).status).toBe(200)
  })
})
