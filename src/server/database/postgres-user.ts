import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** The user that PostgreSQL runs as; undefined means our own. */
export type ServerUser = { uid: number; gid: number } | undefined

/** The system user that runs PostgreSQL when root starts Ringbind. Created if missing. */
const NAME = 'ringbind'

/**
 * Chooses the user for PostgreSQL, which refuses to run as root. When root starts it, it runs as the owner of the
 * existing data, or else as a system user, and never in a directory that this user cannot enter.
 */
export function chooseServerUser(
  directory: string,
  data: string | null,
  say: (message: string) => void,
): ServerUser {
  const owner = statSync(data ?? directory)
  const me = process.geteuid!()
  if (me !== 0) {
    if (owner.uid === me) return undefined
    throw new Error(`${directory} belongs to user ${owner.uid}, but Ringbind was started by user ${me}.`)
  }
  const user = owner.uid === 0 ? systemUser(say) : { uid: owner.uid, gid: owner.gid }
  if (!canEnter(directory, user)) {
    throw new Error(
      `When root starts Ringbind, PostgreSQL runs as user ${user.uid}, who cannot enter ${directory}: ` +
        'set DATA_DIR to a directory such as /var/lib/ringbind, or start Ringbind as an ordinary user.',
    )
  }
  return user
}

function systemUser(say: (message: string) => void) {
  const known = findUser(NAME)
  if (known) return known
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME])
  const made = findUser(NAME)
  if (made) {
    say(`Made the system user '${NAME}', which runs the database.`)
    return made
  }
  const nobody = findUser('nobody')
  if (!nobody) throw new Error(`PostgreSQL cannot run as root, and there is no user '${NAME}' to run it as.`)
  say(
    `The database runs as 'nobody', whom other programs may share; make a system user '${NAME}' to prevent that.`,
  )
  return nobody
}

function findUser(name: string): { uid: number; gid: number } | null {
  const id = (flag: string) => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' })
    return status === 0 ? Number(stdout) : 0
  }
  const [uid, gid] = [id('-u'), id('-g')]
  return uid ? { uid, gid } : null
}

function canEnter(directory: string, user: { uid: number; gid: number }): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { ...user, cwd: '/' }).status === 0
}
