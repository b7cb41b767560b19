import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freshDirectory } from '../directory.ts'
import { ROOT } from '../start/processes.ts'

const PROGRAMS = ['podman', 'buildah', 'runc', 'mmdebstrap']
/** Below what any computer allows: a test may not be able to raise its own limits. */
const LIMITS = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096']
const STAND_IN = 'ringbind.stand-in'

/** Installs podman where it may. Containers are run by root here, and their processes by another user. */
export function ensurePodman(): void {
  const missing = () => PROGRAMS.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing().length > 0 && process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Debian’s podman for the test of the image …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...PROGRAMS]])
      spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', ...args], { stdio: 'ignore', env })
  }
  if (missing().length > 0) throw new Error(`This test needs ${missing().join(', ')}: install them, as root.`)
}

/** Runs podman and returns its output. */
export async function podman(args: string[], timeout = 120_000): Promise<string> {
  const options = { timeout, maxBuffer: 64 * 2 ** 20, encoding: 'utf8' as const }
  const { stdout } = await promisify(execFile)('podman', ['--runtime', 'runc', ...args], options)
  return stdout.trim()
}

/** Returns the exit status of a podman command. */
export const podmanStatus = (args: string[], timeout = 60_000): number | null =>
  spawnSync('podman', ['--runtime', 'runc', ...args], { stdio: 'ignore', timeout }).status

/** Starts a container in the background and returns its name. */
export async function startContainer(name: string, args: string[]): Promise<string> {
  await podman(['run', '--detach', '--name', name, ...LIMITS, ...args])
  return name
}

/** Builds an image from a Dockerfile, as it stands. Says how the build goes only if it fails. */
export async function buildImage(tag: string, directory: string): Promise<void> {
  const args = ['--runtime', 'runc', 'build', '--network', 'host', '--format', 'docker', '--pull=never']
  const child = spawn('podman', [...args, ...LIMITS, '--tag', tag, directory], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 40 * 60_000,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-4000)))
  const status = await new Promise((resolve) => child.once('exit', resolve))
  if (status !== 0) throw new Error(`The image could not be built:\n${said}`)
}

/**
 * Makes sure that the images which the Dockerfile begins with are there: the real ones if they can be fetched, else stand-ins
 * of the same names, made from Debian's packages and npm's. Returns the stand-ins.
 */
export async function ensureBases(): Promise<string[]> {
  const bases = [...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].map(
    ([, name]) => `docker.io/library/${name}`,
  )
  // Debian first: the stand-in of Node is made from it.
  for (const base of bases.toSorted()) {
    if (podmanStatus(['image', 'exists', base]) === 0) continue
    if (podmanStatus(['pull', '--quiet', base], 180_000) === 0) continue
    await (base.includes('/debian:') ? makeDebian(base) : makeNode(base, bases))
  }
  const isStandIn = async (base: string) =>
    (await podman(['image', 'inspect', base, '--format', `{{index .Labels "${STAND_IN}"}}`])) === 'true'
  const found = await Promise.all(bases.map(isStandIn))
  return bases.filter((_, index) => found[index])
}

async function makeDebian(name: string): Promise<void> {
  const release = /:(\w+)-slim$/.exec(name)![1]!
  const tar = join(await freshDirectory('/var/tmp'), 'debian.tar')
  const args = ['--quiet', '--variant=minbase', '--include=ca-certificates', release, tar]
  execFileSync('mmdebstrap', args, { stdio: 'ignore', timeout: 20 * 60_000 })
  await podman(
    ['import', '--change', `LABEL ${STAND_IN}=true`, '--change', 'CMD ["bash"]', tar, name],
    300_000,
  )
}

/** Makes an image with a Node and an npm from npm's packages, and with the certificates that this computer trusts. */
async function makeNode(name: string, bases: string[]): Promise<void> {
  const directory = await freshDirectory('/var/tmp')
  const [, major] = /node:(\d+)/.exec(name)!
  const node = `node-linux-${process.arch}`
  const options = { cwd: directory, encoding: 'utf8' as const, timeout: 600_000 }
  const fetched = execFileSync('npm', ['pack', '--silent', `${node}@${major}`, 'npm@11'], options)
  const packed = fetched.trim().split('\n')
  const local = join(directory, 'root/usr/local')
  const places: [string | undefined, string][] = [
    [packed.find((each) => each.startsWith('node-')), local],
    [packed.find((each) => each.startsWith('npm-')), join(local, 'lib/node_modules/npm')],
  ]
  for (const [file, place] of places) {
    execFileSync('tar', ['xf', file!], options)
    mkdirSync(place, { recursive: true })
    cpSync(join(directory, 'package'), place, { recursive: true })
    execFileSync('rm', ['-r', 'package'], options)
  }
  for (const program of ['npm', 'npx']) {
    const script = `#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/${program}-cli.js "$@"\n`
    writeFileSync(join(local, 'bin', program), script)
    chmodSync(join(local, 'bin', program), 0o755)
  }
  const trusted = process.env.NODE_EXTRA_CA_CERTS ?? '/etc/ssl/certs/ca-certificates.crt'
  copyFileSync(trusted, join(local, 'trusted.crt'))
  const debian = bases.find((each) => each.includes('/debian:'))!
  writeFileSync(
    join(directory, 'Dockerfile'),
    `FROM ${debian}
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
COPY root /
ENV NODE_EXTRA_CA_CERTS=/usr/local/trusted.crt
LABEL ${STAND_IN}=true
CMD ["node"]
`,
  )
  await buildImage(name, directory)
}
