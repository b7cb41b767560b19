import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { freshDirectory } from '../../test/directory.ts'
import { certificateHost, findCertificateEnd } from './certificate.server.ts'

it.each([
  ['https://ringbind.example', { host: 'ringbind.example', port: 443 }],
  ['https://ringbind.example:8443', { host: 'ringbind.example', port: 8443 }],
  ['https://192.0.2.1', { host: '192.0.2.1', port: 443 }],
  ['https://[2001:db8::1]:8443', { host: '2001:db8::1', port: 8443 }],
  ['http://ringbind.example', null],
  ['https://localhost:8443', null],
  ['https://ringbind.localhost', null],
  ['https://127.0.0.1', null],
  ['https://[::1]', null],
])('the certificate of %s is at %j', (appUrl, place) => {
  expect(certificateHost(appUrl)).toEqual(place)
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const run = promisify(execFile)

/** Starts a server with its own certificate that lasts this many days. */
async function startServer(days: number): Promise<number> {
  const directory = await freshDirectory()
  const [key, asked, cert] = ['key.pem', 'asked.pem', 'cert.pem'].map((name) => join(directory, name))
  const elliptic = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await run('openssl', [
    'req',
    '-new',
    ...elliptic,
    '-keyout',
    key!,
    '-out',
    asked!,
    '-subj',
    '/CN=ringbind.example',
  ])
  await run('openssl', [
    'x509',
    '-req',
    '-in',
    asked!,
    '-signkey',
    key!,
    '-days',
    String(days),
    '-out',
    cert!,
  ])
  const secrets = { key: await readFile(key!), cert: await readFile(cert!) }
  return listen(createServer(secrets, (socket) => socket.end()))
}

it.each([
  ['ends soon', 5],
  ['has ended', -1],
])('finds the end of a certificate that %s, whoever signed it', async (_what, days) => {
  const port = await startServer(days)
  const end = await findCertificateEnd('127.0.0.1', port, 60_000)
  const daysLeft = (end.getTime() - Date.now()) / 86_400_000
  expect(daysLeft).toBeGreaterThan(days - 0.1)
  expect(daysLeft).toBeLessThanOrEqual(days)
})

it('gives up on a server that does not answer, speaks no TLS or is not there', async () => {
  const silent = await listen(createPlainServer())
  await expect(findCertificateEnd('127.0.0.1', silent, 50)).rejects.toThrow('does not answer')
  const plain = await listen(
    createPlainServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400\r\n\r\n')),
  )
  await expect(findCertificateEnd('127.0.0.1', plain, 60_000)).rejects.toThrow()
  const gone = createPlainServer()
  const port = await listen(gone)
  await new Promise((resolve) => gone.close(resolve))
  await expect(findCertificateEnd('127.0.0.1', port, 60_000)).rejects.toThrow('ECONNREFUSED')
})
