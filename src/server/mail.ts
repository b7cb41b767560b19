import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { queue } from '../jobs.ts'
import type { Database, Trx } from './database/database.ts'
import { countWaiting } from './database/unfinished-jobs.db.ts'
import type { Attempt, JobId, Jobs } from './work/jobs.ts'
import { syncDirectory } from './storage/sync-directory.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  /** May show pictures: `<img src="cid:logo@ringbind" …>`. They are added when the mail leaves, not kept in the queue. */
  html: string
  replyTo?: string
  /** The name that the mail is from. Its address is always ours. */
  fromName?: string
  /** The address to which a mail program posts to unsubscribe (RFC 8058). */
  stopUrl?: string
}

const SEND_MAIL = queue<Queued>('send-mail')

type Queued = Mail & {
  /** The key by which mails take turns: who caused it, or the address that it goes to. */
  turn?: string
}

/** The most waiting mails that are counted per turn. */
const MOST_COUNTED = 999
const SECURITY_FIRST = 1000

/**
 * Enqueues a mail. It leaves when, and only when, the transaction is committed. Each causer's mails take turns with others': a
 * mail has as many others before it as its causer has waiting.
 */
export async function sendMail(
  trx: Trx,
  jobs: Jobs,
  mail: Mail,
  { causer = null, isSecurity = false }: { causer?: number | null; isSecurity?: boolean } = {},
): Promise<JobId> {
  const turn = causer === null ? mail.to : String(causer)
  const waiting = await countWaiting(trx, { name: SEND_MAIL.name, turn, most: MOST_COUNTED })
  const priority = (isSecurity ? SECURITY_FIRST : 0) - waiting
  return jobs.enqueue(trx, SEND_MAIL, { ...mail, turn }, { priority })
}

/** Enqueues a mail about somebody's login, before all others. */
export const sendSecurityMail = (trx: Trx, jobs: Jobs, mail: Mail) =>
  sendMail(trx, jobs, mail, { isSecurity: true })

type Options = {
  smtpUrl: string | null
  from: string
  /** Where mails are stored as files if there is no mail server. */
  directory: string
  findPicture: FindPicture
  log: Record<'info' | 'error', (about: object, message: string) => void>
}

/** Finds the PNG that a mail shows under a name, or null if there is none any more. */
export type FindPicture = (name: string) => Promise<Buffer | null>

export type Mailer = {
  /** Delivers a mail. A retry with the same id has the same Message-ID and file name. */
  deliver(mail: Mail, id: string): Promise<void>
}

export function openMailer({ smtpUrl, from, directory, findPicture, log }: Options): Mailer {
  const hand = smtpUrl ? bySmtp(smtpUrl, log) : asFile(directory, log)
  const domain = /@([^>]+)/.exec(from)![1]!
  const address = /<([^>]+)>/.exec(from)?.[1] ?? from
  return {
    deliver: async ({ fromName, ...mail }, id) =>
      hand(
        {
          ...(await withPicture(mail, findPicture)),
          from: fromName === undefined ? from : { name: fromName, address },
          messageId: `<${id}@${domain}>`,
          ...(mail.stopUrl && { headers: stopHeaders(mail.stopUrl) }),
        },
        id,
      ),
  }
}

/** Adds the picture that a mail shows, as a part of the mail: mail programs fetch no picture from a server unasked. */
export async function withPicture(mail: Mail, findPicture: FindPicture): Promise<Illustrated> {
  const [tag, cid] = /<img src="cid:([\w@]+)"[^>]*>/.exec(mail.html) ?? []
  if (tag === undefined || cid === undefined) return mail
  const content = await findPicture(cid)
  if (!content) return { ...mail, html: mail.html.replace(tag, '') }
  const picture = { cid, content, filename: 'logo.png', contentType: 'image/png' }
  return { ...mail, attachments: [{ ...picture, contentDisposition: 'inline' }] }
}

type Illustrated = Mail & {
  attachments?: {
    cid: string
    content: Buffer
    filename: string
    contentType: string
    contentDisposition: 'inline'
  }[]
}

/** Receives the outcome of mails. */
export type MailWatch = {
  /** Called after several failed tries. */
  failed(to: string, id: JobId, how: MailFailure): Promise<void>
  sent(to: string, id: JobId): Promise<void>
}

type MailFailure = {
  /** It is not tried again. */
  isFinal: boolean
  /** The mail server works, and has refused this mail for good. */
  isRefused: boolean
}

/** The parts that send mails to people. */
export type MailTools = {
  db: Database
  mailer: Mailer
  appUrl: string
  /** Returns the path that ends a person's mails. */
  stopPath: (userId: number) => string
  watch: MailWatch | undefined
}

/** The mail server refuses the mail for good; another try does not help. */
export class MailRefused extends Error {}

/** Starts delivering the queued mails. */
export async function deliverMail(jobs: Jobs, mailer: Mailer, watch?: MailWatch): Promise<void> {
  await jobs.work(SEND_MAIL, ({ turn: _turn, ...mail }, id, attempt) =>
    tellOutcome(watch, mail.to, id, attempt, () => mailer.deliver(mail, id)),
  )
}

/** After fewer failures, the mail server may just be restarting. */
const TRIES_BEFORE_TELLING = 4

/** Delivers a mail and reports the outcome. A mail that is refused for good is not tried again. */
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
    const isFinal = isRefused || isLast
    if (isFinal || tries >= TRIES_BEFORE_TELLING) await watch?.failed(to, id, { isFinal, isRefused })
    if (isRefused) return
    throw error
  }
  await watch?.sent(to, id)
}

type Letter = Illustrated & {
  from: string | { name: string; address: string }
  messageId: string
  headers?: Record<string, string>
}

const stopHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** Keeps the first answer. The first mail loads nodemailer, so that a start need not wait for it. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}

/** A mail server that is silent for this long counts as away. */
const SILENCE_MS = 30_000

function bySmtp(url: string, log: Options['log']) {
  const openServer = once(async () =>
    (await import('nodemailer')).createTransport({
      url,
      disableFileAccess: true,
      disableUrlAccess: true,
      connectionTimeout: SILENCE_MS,
      greetingTimeout: SILENCE_MS,
      socketTimeout: 2 * SILENCE_MS,
    }),
  )
  return async (letter: Letter, id: JobId) => {
    const server = await openServer()
    try {
      await server.sendMail(letter)
    } catch (error) {
      const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
      // An error about us, such as a wrong password, can be fixed; an error about the mail cannot.
      const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
      if (!isAboutMail || responseCode < 500) throw error
      log.error({ mail: id, status: responseCode }, 'the mail server refused a mail for good')
      throw new MailRefused(`The mail server refused it: ${responseCode}`, { cause: error })
    }
  }
}

function asFile(directory: string, log: Options['log']) {
  const openComposer = once(async () =>
    (await import('nodemailer')).createTransport({
      streamTransport: true,
      buffer: true,
      newline: 'unix',
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  return async (letter: Letter, id: JobId) => {
    const composer = await openComposer()
    const { message } = await composer.sendMail(letter)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const file = join(directory, `${id}.eml`)
    await writeWhole(file, message as Buffer)
    log.info({ mail: id, file }, 'mail kept as a file, since SMTP_URL is not set')
  }
}

/** Writes the whole file or nothing, also in a power cut. */
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
