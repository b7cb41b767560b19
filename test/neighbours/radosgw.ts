import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  CreateBucketCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
  S3Client,
  type CORSRule,
} from '@aws-sdk/client-s3'
import { openThrowAway } from '../../demo/throw-away.ts'
import { freePort } from './free-port.ts'

export type Radosgw = AsyncDisposable & {
  endpoint: string
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string }
  /** Ringbind's settings for a bucket of this server. */
  env: (bucket: string) => Record<string, string>
  makeBucket: (name: string, more?: { cors?: CORSRule[] }) => Promise<void>
  /** Kills the gateway; stored objects stay. */
  kill: () => Promise<void>
  /** Starts the gateway again, at the same address. */
  start: () => Promise<void>
  /** Ends everything and removes it. */
  stop: () => Promise<void>
}

const PROGRAMS = ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin']
const PACKAGES = ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph-common']

/**
 * Starts a real S3 server: Ceph's gateway on a cluster of one monitor and one store, in a temporary directory.
 * Each call starts its own, on free ports of 127.0.0.1.
 */
export async function startRadosgw(): Promise<Radosgw> {
  ensureCeph()
  const directory = await openThrowAway('radosgw')
  const path = directory.path
  mkdirSync(path, { recursive: true })
  const daemons: Daemon[] = []
  const stop = async () => {
    for (const daemon of daemons.toReversed()) await daemon.end()
    directory.remove()
  }
  try {
    const conf = await startCluster(path, daemons)
    const credentials = {
      accessKeyId: randomBytes(10).toString('hex').toUpperCase(),
      secretAccessKey: randomBytes(20).toString('hex'),
    }
    const port = await freePort()
    const endpoint = `http://127.0.0.1:${port}`
    const asGateway = [...conf, '--name', 'client.rgw']
    const frontend = `beast endpoint=127.0.0.1:${port} tcp_nodelay=1`
    const run = () => startDaemon(path, 'radosgw', [...asGateway, '-f', '--rgw-frontends', frontend])
    let gateway = run()
    daemons.push({ end: () => gateway.end() })
    await untilAnswering(endpoint, gateway)
    const { accessKeyId, secretAccessKey } = credentials
    const keys = ['--access-key', accessKeyId, '--secret-key', secretAccessKey]
    const user = ['user', 'create', '--uid', 'ringbind', '--display-name', 'Ringbind']
    await runCeph('radosgw-admin', asGateway.concat(user, keys))
    const client = new S3Client({ endpoint, region: REGION, credentials, forcePathStyle: true })
    // The first object takes seconds, because the cluster prepares itself for objects.
    await client.send(new CreateBucketCommand({ Bucket: 'first' }))
    await client.send(new PutObjectCommand({ Bucket: 'first', Key: 'first', Body: 'first' }))
    return {
      endpoint,
      region: REGION,
      credentials,
      env: (bucket) => ({
        S3_BUCKET: bucket,
        S3_ENDPOINT: endpoint,
        S3_REGION: REGION,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      }),
      async makeBucket(name, { cors } = {}) {
        await client.send(new CreateBucketCommand({ Bucket: name }))
        if (cors)
          await client.send(
            new PutBucketCorsCommand({ Bucket: name, CORSConfiguration: { CORSRules: cors } }),
          )
      },
      kill: () => gateway.end(),
      async start() {
        gateway = run()
        await untilAnswering(endpoint, gateway)
      },
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const REGION = 'us-east-1'

function ensureCeph(): void {
  const missing = () => PROGRAMS.filter((name) => !existsSync(join('/usr/bin', name)))
  if (missing().length > 0 && process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Debian’s Ceph for the tests of S3 …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args: string[]) =>
      spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', ...args], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env,
      })
    apt('update')
    apt('install', '-y', '--no-install-recommends', ...PACKAGES)
  }
  if (missing().length > 0)
    throw new Error(`The tests of S3 need Ceph: install ${PACKAGES.join(', ')} (Debian’s packages).`)
}

/** Starts a cluster and returns the arguments by which every Ceph program finds it. */
async function startCluster(path: string, daemons: Daemon[]): Promise<string[]> {
  const fsid = randomUUID()
  const file = join(path, 'ceph.conf')
  const conf = ['--conf', file, '--no-mon-config']
  const monitor = `127.0.0.1:${await freePort()}`
  writeFileSync(file, configuration(path, fsid, monitor))
  for (const name of ['mon', 'osd']) mkdirSync(join(path, name))
  const map = join(path, 'monmap')
  await runCeph('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', `[v2:${monitor}]`, map])
  await runCeph('ceph-mon', [...conf, '--mkfs', '-i', 'a', '--monmap', map])
  daemons.push(startDaemon(path, 'ceph-mon', [...conf, '-f', '-i', 'a']))
  await runCeph('ceph', ['--conf', file, '--connect-timeout', '60', 'osd', 'new', fsid])
  await runCeph('ceph-osd', [...conf, '-i', '0', '--mkfs', '--osd-uuid', fsid])
  daemons.push(startDaemon(path, 'ceph-osd', [...conf, '-f', '-i', '0']))
  return conf
}

function configuration(path: string, fsid: string, monitor: string): string {
  return `[global]
fsid = ${fsid}
mon host = v2:${monitor}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms cluster mode = crc
ms service mode = crc
ms client mode = crc
ms mon cluster mode = crc
ms mon service mode = crc
ms mon client mode = crc
run dir = ${path}
admin socket =
log file = ${path}/$name.log
log to stderr = false
err to stderr = true
keyring = ${path}/keyring
crash dir = ${path}
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon allow pool delete = true
[mon]
mon data = ${path}/mon
mon data avail crit = 1
mon data avail warn = 1
mon osd full ratio = 0.99
mon osd nearfull ratio = 0.98
[osd]
osd data = ${path}/osd
osd objectstore = memstore
memstore device bytes = ${64 * 2 ** 30}
osd max object name len = 256
[client.rgw]
rgw cache enabled = true
rgw thread pool size = 32
rgw enable usage log = false
rgw enable ops log = false
rgw dns name =
rgw gc obj min wait = 20
rgw gc processor period = 20
rgw gc processor max time = 20
`
}

type Daemon = { end: () => Promise<void>; child?: ChildProcess; said?: () => string }

/** Starts a daemon that the kernel kills when this process ends, however it ends. */
function startDaemon(path: string, program: string, args: string[]): Required<Daemon> {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], {
    cwd: path,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-2000)))
  return {
    child,
    said: () => said,
    async end() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

async function runCeph(program: string, args: string[]): Promise<void> {
  await promisify(execFile)(program, args, { timeout: 120_000 })
}

async function untilAnswering(endpoint: string, { child, said }: Required<Daemon>): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (child.exitCode !== null) throw new Error(`The gateway ended with ${child.exitCode}: ${said()}`)
    const answer = await fetch(endpoint, { signal: AbortSignal.timeout(5000) }).catch(() => null)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error(`The gateway did not start: ${said()}`)
}
