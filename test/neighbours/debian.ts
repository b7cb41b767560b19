import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshDirectory } from '../directory.ts'

export type Debian = {
  root: string
  /** Runs a script in a login-like shell and returns its status and the end of its output. */
  run: (script: string, timeout?: number) => { status: number | null; said: string }
  stop: () => Promise<void>
}

const RELEASE = 'trixie'
const PROGRAMS = ['mmdebstrap', 'slirp4netns']

/** Mounts what systemd wants to see, makes the tree the root, and becomes systemd. */
const ENTER = `set -e
cd "$1"
mount --make-rprivate /
mount --bind . . && cd "$1"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs sys/fs/cgroup && mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for each in null zero full random urandom tty; do touch dev/$each; mount --bind /dev/$each dev/$each; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts && ln -s pts/ptmx dev/ptmx
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
mkdir -p old && pivot_root . old && umount -l /old
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=null --show-status=no`

/**
 * Starts a clean Debian with systemd in its own namespaces: its own processes, network and control groups. It has
 * Debian's smallest installation, and systemd. Only root can do this, where a cgroup2 is mounted.
 */
export async function startDebian(): Promise<Debian> {
  ensurePrograms()
  const root = join(await freshDirectory('/var/tmp'), 'debian')
  const packages = 'ca-certificates,systemd,systemd-sysv,dbus,dbus-user-session'
  const args = ['--quiet', '--format=directory', '--variant=minbase', `--include=${packages}`, RELEASE, root]
  execFileSync('mmdebstrap', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 20 * 60_000 })
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  const trusted = process.env.NODE_EXTRA_CA_CERTS
  if (trusted) copyFileSync(trusted, join(root, 'usr/local/share/trusted.crt'))
  const group = join(findCgroup(), `ringbind-${process.pid}`)
  mkdirSync(group, { recursive: true })
  const enter = `echo $$ > "${group}/cgroup.procs" && exec unshare -C -m -p -f -u -i -n --kill-child bash -c '${ENTER}' enter "${root}"`
  const children: ChildProcess[] = [spawn('bash', ['-c', enter], { stdio: ['ignore', 'ignore', 'inherit'] })]
  const first = async () => {
    for (let attempt = 0; attempt < 600; attempt++) {
      const processes = join(group, 'init.scope/cgroup.procs')
      const [pid] = existsSync(processes) ? readFileSync(processes, 'utf8').split('\n') : []
      if (pid) return pid
      await sleep(100)
    }
    throw new Error('systemd did not start.')
  }
  const pid = await first()
  children.push(
    spawn('slirp4netns', ['--configure', '--mtu=65520', '--disable-host-loopback', pid, 'tap0'], {
      stdio: 'ignore',
    }),
  )
  const environment = [
    'HOME=/root',
    'LANG=C.UTF-8',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'DEBIAN_FRONTEND=noninteractive',
    ...(trusted ? ['NODE_EXTRA_CA_CERTS=/usr/local/share/trusted.crt'] : []),
  ]
  return {
    root,
    run(script, timeout = 30 * 60_000) {
      const inside = ['-t', pid, '-m', '-p', '-C', '-u', '-i', '-n', '--', 'env', '-i', ...environment]
      const { status, stdout, stderr } = spawnSync('nsenter', [...inside, 'bash', '-c', script], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        maxBuffer: 64 * 2 ** 20,
        timeout,
      })
      return { status, said: (stdout + stderr).slice(-3000) }
    },
    async stop() {
      process.kill(Number(pid), 'SIGKILL') // the kernel ends everything in there with it
      for (const child of children) {
        child.kill()
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }
      spawnSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'])
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function findCgroup(): string {
  const found = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8'))
  if (!found) throw new Error('This test needs a cgroup2.')
  return found[1]!
}

function ensurePrograms(): void {
  const missing = () => PROGRAMS.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing().length > 0 && process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing what makes a clean Debian …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...PROGRAMS]])
      spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', ...args], { stdio: 'ignore', env })
  }
  if (missing().length > 0) throw new Error(`This test needs ${missing().join(', ')}: install them, as root.`)
}
