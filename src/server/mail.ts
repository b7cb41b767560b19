import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Trx } from './database/database.ts'
import type { Attempt, Job, JobId, Jobs } from './jobs.ts'
import { syncDirectory } from './storage/sync-directory.ts'

export type Mail = { to: string; subject: string; text: string; html: string }

/** More at once than this some mail servers take for a flood. */
export const MAILS_AT_ONCE = 4

export const SEND_MAIL: Job<Mail> = {
  name: 'send-mail',
  retryLimit: 15,
  retrySeconds: 5,
  atOnce: MAILS_AT_ONCE,
}

/** Mails leave when, and only when, the transaction that causes them is committed. */
export function sendMail(trx: Trx, jobs: Jobs, mail: Mail): Promise<JobId> {
  return jobs.enqueue(trx, SEND_MAIL, mail)
}

type Options = {
  smtpUrl: string | null
  from: string
  /** Where mails are kept when there is no mail server. */
  directory: string
  log: Record<'info' | 'error', (about: object, message: string) => void>
}

export type Mailer = {
  /** Hands a mail over. One that is tried again under the same id has the same Message-ID and file name. */
  deliver(mail: Mail, id: string): Promise<void>
}

export function openMailer({ smtpUrl, from, directory, log }: Options): Mailer {
  const hand = smtpUrl ? bySmtp(smtpUrl, log) : asFile(directory, log)
  const domain = /@([^>]+)/.exec(from)![1]!
  return { deliver: (mail, id) => hand({ ...mail, from, messageId: `<${id}@${domain}>` }, id) }
}

/** Who wants to know how mails fare. */
export type MailWatch = {
  /** It has been tried several times; `isFinal`: nobody tries again. */
  failed(to: string, id: JobId, isFinal: boolean): Promise<void>
  sent(to: string, id: JobId): Promise<void>
}

/** The mail server will not have it, however often it is tried. */
export class MailRefused extends Error {}

/** Delivers the mails of the queue. */
export async function deliverMail(jobs: Jobs, mailer: Mailer, watch?: MailWatch): Promise<void> {
  await jobs.work(SEND_MAIL, (mail, id, attempt) =>
    tellOutcome(watch, mail.to, id, attempt, () => mailer.deliver(mail, id)),
  )
}

/** Fewer failures are a mail server that is being started again. */
const TRIES_BEFORE_TELLING = 4

/** Tells how it went. What is refused for good is not tried again. */
export async function tellOutcome(
  watch: MailWatch | undefined,
  to: string,
  id: JobId,
  { tries, isLast }: Attempt,
  deliver: () => Promise<void>,
): Promise<void> {
  try {
    await deliver()
  } catch (error) {
    const isRefused = error instanceof MailRefused
    if (isRefused || isLast || tries >= TRIES_BEFORE_TELLING) await watch?.failed(to, id, isRefused || isLast)
    if (isRefused) return
    throw error
  }
  await watch?.sent(to, id)
}

type Letter = Mail & { from: string; messageId: string }

/** A mail server that says nothing for so long is as good as away. */
const SILENCE_MS = 30_000

function bySmtp(url: string, log: Options['log']) {
  const server = createTransport({
    url,
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: 2 * SILENCE_MS,
  })
  return async (letter: Letter, id: JobId) => {
    try {
      await server.sendMail(letter)
    } catch (error) {
      const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
      // What it says of us, a wrong password for one, can be put right; what it says of the mail cannot.
      const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
      if (!isAboutMail || responseCode < 500) throw error
      log.error({ mail: id, status: responseCode }, 'the mail server refused a mail for good')
      throw new MailRefused(`The mail server refused it: ${responseCode}`, { cause: error })
    }
  }
}

function asFile(directory: string, log: Options['log']) {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'unix',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async (letter: Letter, id: JobId) => {
    const { message } = await composer.sendMail(letter)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const file = join(directory, `${id}.eml`)
    await writeWhole(file, message as Buffer)
    log.info({ mail: id, file }, 'mail kept as a file, since SMTP_URL is not set')
  }
}

/** The file is there whole or not at all, also after a power cut. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const part = `${file}.part`
  try {
    await using handle = await open(part, 'w', 0o600)
    await handle.writeFile(bytes)
    await handle.sync()
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  await rename(part, file)
  await syncDirectory(dirname(file))
}
