import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { fileUrls } from '../../src/urls.ts'
import { freshApp } from '../app.ts'
import { enter } from '../enter.ts'
import { foldersByName, makeFile, makeProject } from '../make.ts'
import { directly, startNginx, type Answer } from './nginx.ts'

it('NGINX_SENDS_FILES: nginx sends a file exactly as Ringbind does, and only through it', async () => {
  const env = { NGINX_SENDS_FILES: 'true', TRUST_PROXY: '127.0.0.1', APP_URL: 'https://ringbind.example.dk' }
  const test = await freshApp({ env })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = test.app.server.address() as AddressInfo
  const nginx = await startNginx([port, port], { dataDir: test.config.dataDir })
  const [office, stranger] = [await enter(test, 'employee'), await enter(test, 'investor')]
  const cookieOf = ({ visitor }: typeof office) =>
    [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const cookie = cookieOf(office)
  const owner = { project: (await makeProject(test.db)).id }
  const folder = (await foldersByName(test.db, owner.project)).Budget!
  const bytes = '%PDF-1.7 ' + 'Årsrapport '.repeat(50_000)
  const { path, id } = await makeFile(test, folder, { name: 'Årsrapport "1".pdf', bytes })
  const address = fileUrls.download(owner, path)
  const etag = String((await directly(port)('GET', address, { headers: { cookie } })).headers.etag)

  // The mark alone makes the difference. Answers without it are Ringbind's own.
  const marked = await directly(port)('GET', address, { headers: { cookie, 'x-ringbind-nginx': '1' } })
  const key = await test.db
    .selectFrom('files')
    .innerJoin('blobs', 'blobs.id', 'files.blob_id')
    .select('blobs.key')
    .where('files.id', '=', id)
    .executeTakeFirstOrThrow()
  const place = `/ringbind-files/${key.key.slice(0, 2)}/${key.key.slice(2)}`
  expect([marked.headers['x-accel-redirect'], marked.body.length]).toEqual([place, 0])

  const clean = ({ status, headers, body }: Answer) => {
    const { date: _date, server: _server, connection: _open, 'keep-alive': _alive, ...rest } = headers
    return {
      status,
      headers: { ...rest, 'x-request-id': typeof rest['x-request-id'] },
      body: [body.length, body.toString('hex', 0, 20)],
    }
  }
  for (const [method, more, status] of [
    ['GET', {}, 200],
    ['GET', { 'accept-encoding': 'gzip, br' }, 200],
    ['GET', { range: 'bytes=5-9' }, 206],
    ['GET', { range: 'bytes=-7' }, 206],
    ['GET', { range: 'bytes=0-1,4-5' }, 200],
    ['GET', { range: 'bytes=9999999-' }, 416],
    ['GET', { range: 'bytes=5-9', 'if-range': etag }, 206],
    ['GET', { range: 'bytes=5-9', 'if-range': '"other"' }, 200],
    ['GET', { 'if-match': etag }, 200],
    ['GET', { 'if-match': '"other"' }, 412],
    ['GET', { 'if-none-match': etag }, 304],
    ['GET', { 'if-none-match': '"other"' }, 200],
    ['GET', { 'if-modified-since': new Date(Date.now() + 10 * 60_000).toUTCString() }, 200],
    ['GET', { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }, 200],
    ['HEAD', {}, 200],
  ] as [string, Record<string, string>, number][]) {
    const sending = { headers: { cookie, ...more } }
    const ours = clean(await directly(port)(method, address, sending))
    expect([method, more, ours.status]).toEqual([method, more, status])
    expect([method, more, clean(await nginx.call(method, address, sending))]).toEqual([method, more, ours])
  }
  expect(String((await nginx.call('GET', address, { headers: { cookie } })).body)).toBe(bytes)

  // Nobody reaches the files past Ringbind, whatever they send.
  const theirs = { cookie: cookieOf(stranger) }
  expect((await nginx.call('GET', address, { headers: theirs })).status).toBe(404)
  expect((await nginx.call('GET', address)).status).toBe(303)
  for (const each of [
    place,
    `/ringbind-files/../${place}`,
    '/ringbind-files/',
    '/ringbind-files/..%2f..%2fetc/passwd',
  ])
    expect([400, 404]).toContain((await nginx.call('GET', each, { headers: { cookie } })).status)

  // A file that is not as it was is not handed to nginx: Ringbind notices, and breaks off.
  await test.db
    .updateTable('blobs')
    .set({ size: bytes.length * 3 })
    .where('key', '=', key.key)
    .execute()
  await expect(nginx.call('GET', address, { headers: { cookie } })).rejects.toThrow('aborted')
  expect(test.logged()).toContain('stored bytes break off')
})

it('without NGINX_SENDS_FILES, or from elsewhere than the proxy, the path of a file is never revealed', async () => {
  for (const env of [
    { TRUST_PROXY: '127.0.0.1' },
    { TRUST_PROXY: '192.0.2.7', NGINX_SENDS_FILES: 'true' },
  ] as Record<string, string>[]) {
    const test = await freshApp({ env })
    const { visitor } = await enter(test, 'employee')
    const owner = { project: (await makeProject(test.db)).id }
    const { path } = await makeFile(test, (await foldersByName(test.db, owner.project)).Budget!)
    const answer = await visitor.get(fileUrls.download(owner, path), { headers: { 'x-ringbind-nginx': '1' } })
    expect([answer.statusCode, answer.headers['x-accel-redirect']]).toEqual([200, undefined])
    expect(answer.body).toContain('%PDF')
  }
})
