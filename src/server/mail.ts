import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Trx } from './database.ts'
import type { Job, JobId, Jobs } from './jobs.ts'
import { syncDirectory } from './sync-directory.ts'

export type Mail = { to: string; subject: string; text: string; html: string }

export const SEND_MAIL: Job<Mail> = { name: 'send-mail', retryLimit: 15, retrySeconds: 5 }

/** Mails leave when, and only when, the transaction that causes them is committed. */
export function sendMail(trx: Trx, jobs: Jobs, mail: Mail): Promise<JobId> {
  return jobs.enqueue(trx, SEND_MAIL, mail)
}

type Options = {
  smtpUrl: string | null
  from: string
  /** Where mails are kept when there is no mail server. */
  directory: string
  log: { info: (about: object, message: string) => void }
}

export type Mailer = {
  /** Hands a mail over. One that is tried again under the same id has the same Message-ID and file name. */
  deliver(mail: Mail, id: string): Promise<void>
}

export function openMailer({ smtpUrl, from, directory, log }: Options): Mailer {
  const hand = smtpUrl ? bySmtp(smtpUrl) : asFile(directory, log)
  const domain = /@([^>]+)/.exec(from)![1]!
  return { deliver: (mail, id) => hand({ ...mail, from, messageId: `<${id}@${domain}>` }, id) }
}

/** Delivers the mails of the queue. */
export async function deliverMail(jobs: Jobs, mailer: Mailer): Promise<void> {
  await jobs.work(SEND_MAIL, (mail, id) => mailer.deliver(mail, id))
}

type Letter = Mail & { from: string; messageId: string }

function bySmtp(url: string) {
  const server = createTransport(url, { disableFileAccess: true, disableUrlAccess: true })
  return async (letter: Letter) => void (await server.sendMail(letter))
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
