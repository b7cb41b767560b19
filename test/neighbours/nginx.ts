import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freshDirectory } from '../directory.ts'
import { freePort } from './free-port.ts'

/** The server name in `docs/nginx.conf`. */
export const NAME = 'ringbind.example.dk'

export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }
export type Sending = { headers?: Record<string, string>; body?: Buffer | string }

export type Nginx = {
  ports: { http: number; https: number }
  /** Sends a request over https, as a browser that trusts the certificate. */
  call: (method: string, path: string, sending?: Sending, agent?: Agent) => Promise<Answer>
  agent: () => Agent
}

/** `rate` is how many requests a second an address may make; without it the limit is out of reach. */
type NginxOptions = { dataDir?: string; rate?: number }

/** Starts Debian's nginx with the configuration from the docs, except for the ports, the certificate and the options. */
export async function startNginx(instances: [number, number], options: NginxOptions = {}): Promise<Nginx> {
  const program = findNginx()
  const [, minor] = /nginx\/1\.(\d+)/.exec(spawnSync(program, ['-v'], { encoding: 'utf8' }).stderr)!
  const isNew = Number(minor) > 25 // Debian 12's does not know "http2 on"
  const directory = await freshDirectory()
  const ports = { http: await freePort(), https: await freePort() }
  const certificate = makeCertificate(directory)
  writeFileSync(
    join(directory, 'ringbind.conf'),
    siteFor(ports, instances, certificate, { ...options, isNew }),
  )
  writeFileSync(join(directory, 'nginx.conf'), makeMainConfig(directory))
  const args = ['-p', directory, '-c', join(directory, 'nginx.conf'), '-e', join(directory, 'error.log')]
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const endWithUs = () => void child.kill()
  process.once('exit', endWithUs)
  onTestFinished(async () => {
    process.off('exit', endWithUs)
    child.kill()
    await ended
  })
  await untilOpen(ports.https)
  const ca = readFileSync(certificate.certificate)
  const agent = () => new Agent({ ca, servername: NAME, keepAlive: true })
  const own = agent()
  onTestFinished(() => own.destroy())
  return {
    ports,
    agent,
    call: (method, path, sending, by = own) => send(ports.https, by, method, path, sending),
  }
}

function findNginx(): string {
  const program = '/usr/sbin/nginx'
  if (!existsSync(program) && process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Debian’s nginx for the tests …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'nginx']])
      spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { stdio: 'ignore', env })
  }
  if (!existsSync(program)) throw new Error('This test needs nginx: install it.')
  return program
}

type Certificate = { certificate: string; key: string }

function makeCertificate(directory: string): Certificate {
  const made = { certificate: join(directory, 'fullchain.pem'), key: join(directory, 'privkey.pem') }
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ]
  execFileSync(
    'openssl',
    [...args, '-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`].concat([
      '-keyout',
      made.key,
      '-out',
      made.certificate,
    ]),
    { stdio: 'ignore' },
  )
  return made
}

function siteFor(
  ports: Nginx['ports'],
  [one, other]: [number, number],
  { certificate, key }: Certificate,
  { dataDir = '/var/lib/ringbind', rate = 1_000_000, isNew }: NginxOptions & { isNew: boolean },
): string {
  const hasIpv6 =
    existsSync('/proc/net/if_inet6') && readFileSync('/proc/net/if_inet6', 'utf8').includes(' lo\n')
  return readFileSync(new URL('../../docs/nginx.conf', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => hasIpv6 || !/listen \[/.test(line))
    .filter((line) => isNew || line.trim() !== 'http2 on;')
    .join('\n')
    .replace(/(listen \S*443 ssl);/g, isNew ? '$1;' : '$1 http2;')
    .replace('rate=100r/s', `rate=${rate}r/s`)
    .replace(/listen 80;/, `listen 127.0.0.1:${ports.http};`)
    .replace(/listen \[::\]:80;/, `listen [::1]:${ports.http};`)
    .replace(/listen 443 /, `listen 127.0.0.1:${ports.https} `)
    .replace(/listen \[::\]:443 /, `listen [::1]:${ports.https} `)
    .replace(/127\.0\.0\.1:3000 /, `127.0.0.1:${one} `)
    .replace(/127\.0\.0\.1:3001 /, `127.0.0.1:${other} `)
    .replace(/\/etc\/letsencrypt\/\S*fullchain\.pem/, certificate)
    .replace(/\/etc\/letsencrypt\/\S*privkey\.pem/, key)
    .replace('/var/lib/ringbind/', `${dataDir}/`)
}

/** Returns the main configuration, as Debian's but in the test's directory. */
function makeMainConfig(directory: string): string {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => {
    mkdirSync(join(directory, kind))
    return `${kind}_temp_path ${join(directory, kind)};`
  })
  return `
    daemon off;
    ${process.geteuid?.() === 0 ? 'user root;' : ''}
    worker_processes 1;
    pid ${join(directory, 'nginx.pid')};
    events { worker_connections 768; }
    http {
      access_log off;
      ${places.join('\n')}
      include ${join(directory, 'ringbind.conf')};
    }`
}

async function untilOpen(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return
    await sleep(100)
  }
  throw new Error('nginx did not start.')
}

/** Calls an instance without nginx, with the headers that nginx would send. */
export const directly =
  (port: number) =>
  (method: string, path: string, { headers, ...sending }: Sending = {}): Promise<Answer> =>
    send(port, null, method, path, {
      ...sending,
      headers: { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https', ...headers },
    })

function send(
  port: number,
  /** Null for plain http. */
  agent: Agent | null,
  method: string,
  path: string,
  { headers, body }: Sending = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = agent ? httpsRequest : httpRequest
    const call = request(
      {
        host: '127.0.0.1',
        port,
        ...(agent && { agent }),
        method,
        path,
        headers: { host: NAME, ...length, ...headers },
        timeout: 60_000,
      },
      (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply
          .once('error', reject)
          .once('end', () =>
            resolve({ status: reply.statusCode!, headers: reply.headers, body: Buffer.concat(chunks) }),
          )
      },
    )
    call.once('timeout', () => call.destroy(new Error(`${method} ${path} hangs`)))
    call.once('error', reject).end(body)
  })
}
