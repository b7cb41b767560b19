import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openThrowAway } from '../../demo/throw-away.ts'
import { mailbox, type MailboxAddress } from '../../src/server/process/setting-kinds.ts'
import { freePort } from './free-port.ts'

const PROGRAM = '/usr/sbin/dovecot'
const DELIVER = '/usr/lib/dovecot/dovecot-lda'
const PACKAGE = 'dovecot-imapd'

export const PASSWORD = 'hemmelig-kode'

export type Dovecot = AsyncDisposable & {
  /** The address of a person's mailbox, for `IMAP_URL`. */
  url: (user: string, more?: string) => string
  address: (user: string, more?: string) => MailboxAddress
  /** Hands a mail over, as a mail server does. */
  deliver: (user: string, mail: string) => Promise<void>
  /** Puts mails into a mailbox, many at once. */
  fill: (user: string, mails: Iterable<string>) => void
  /** Lists a folder's mails with their flags: 'S' is read. */
  flags: (user: string, folder?: string) => string[]
  /** Has the mailbox count its mails anew. */
  countAnew: (user: string) => void
  kill: () => Promise<void>
  start: () => Promise<void>
}

/** Whether Debian's dovecot is here. The long tests install it. */
export const hasDovecot = () =>
  existsSync(PROGRAM) && existsSync(DELIVER) && existsSync('/usr/lib/dovecot/imap')

export function ensureDovecot(): void {
  if (!hasDovecot() && process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Debian’s dovecot for the tests of mailboxes …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', PACKAGE]])
      spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', ...args], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env,
      })
  }
  if (!hasDovecot())
    throw new Error(`The tests of mailboxes need dovecot: install ${PACKAGE} (Debian’s package).`)
}

/** Starts a real IMAP server in a temporary directory, on a free port of 127.0.0.1. */
export async function startDovecot(): Promise<Dovecot> {
  const directory = await openThrowAway('dovecot')
  const { path } = directory
  const port = await freePort()
  const conf = join(path, 'dovecot.conf')
  for (const name of ['run', 'state', 'mail']) mkdirSync(join(path, name), { recursive: true })
  writeFileSync(conf, configuration(path, port))
  writeFileSync(join(path, 'log'), '')
  chmodSync(join(path, 'log'), 0o666)
  give(join(path, 'mail'))
  let server = run(conf)
  const end = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
  const stop = async () => {
    await end()
    directory.remove()
  }
  const start = async () => {
    if (server.exitCode !== null || server.signalCode !== null) server = run(conf)
    await untilAnswering(port, () => readLog(path))
  }
  try {
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  const url = (user: string, more = '/INBOX') =>
    `imap://${encodeURIComponent(user)}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}${more}`
  const folderOf = (user: string, folder?: string) => join(path, 'mail', user, folder ? `.${folder}` : '')
  let count = 0
  return {
    url,
    address: (user, more) => mailbox(url(user, more))!,
    async deliver(user, mail) {
      const child = spawn(DELIVER, ['-c', conf, '-d', user], { stdio: ['pipe', 'ignore', 'pipe'] })
      child.stdin.on('error', () => undefined).end(mail)
      const [code] = (await once(child, 'exit')) as [number | null]
      if (code !== 0) throw new Error(`dovecot did not take the mail (${code}): ${readLog(path)}`)
    },
    fill(user, mails) {
      const box = folderOf(user)
      for (const name of ['', 'new', 'cur', 'tmp']) {
        mkdirSync(join(box, name), { recursive: true })
        give(join(box, name))
      }
      for (const mail of mails) {
        const name = `${1_700_000_000 + ++count}.M${count}.test`
        writeFileSync(join(box, 'tmp', name), mail)
        give(join(box, 'tmp', name))
        renameSync(join(box, 'tmp', name), join(box, 'new', name))
      }
    },
    flags(user, folder) {
      const list = (name: string) => {
        const at = join(folderOf(user, folder), name)
        return existsSync(at) ? readdirSync(at) : []
      }
      return [...list('new'), ...list('cur')].map((name) => name.split(':2,')[1] ?? '').sort()
    },
    countAnew(user) {
      for (const name of readdirSync(folderOf(user)))
        if (name.startsWith('dovecot')) rmSync(join(folderOf(user), name), { recursive: true })
    },
    kill: end,
    start,
    [Symbol.asyncDispose]: stop,
  }
}

/** Dovecot serves no mails of root's. */
const { username, ...own } = userInfo()
const isRoot = own.uid === 0
const NOBODY = 65_534
const [uid, gid] = isRoot ? [NOBODY, NOBODY] : [own.uid, own.gid]

function give(path: string): void {
  if (isRoot) chownSync(path, uid, gid)
}

/** The kernel kills it when this process ends, however it ends. */
const run = (conf: string) =>
  spawn('setpriv', ['--pdeathsig', 'TERM', PROGRAM, '-F', '-c', conf], { stdio: 'ignore' })

const readLog = (path: string) =>
  existsSync(join(path, 'log')) ? readFileSync(join(path, 'log'), 'utf8').slice(-2000) : 'no log'

async function untilAnswering(port: number, said: () => string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'error').then(() => false),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isThere) return
    await sleep(100)
  }
  throw new Error(`dovecot does not answer: ${said()}`)
}

function configuration(path: string, port: number): string {
  const users = isRoot
    ? ''
    : `default_internal_user = ${username}\ndefault_login_user = ${username}\ndefault_internal_group = ${gid}\n`
  return `protocols = imap
base_dir = ${path}/run
state_dir = ${path}/state
log_path = ${path}/log
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
first_valid_uid = 0
mail_location = maildir:${path}/mail/%u
mail_fsync = never
default_vsz_limit = 0
mail_max_userip_connections = 100
auth_failure_delay = 0
lda_mailbox_autocreate = yes
postmaster_address = postmaster@example.dk
hostname = localhost
${users}passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${path}/mail/%u allow_all_users=yes
}
namespace inbox {
  inbox = yes
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
`
}
