import { setTimeout as sleep } from 'node:timers/promises'
import { cleanLine } from '../base/text.ts'
import { withPicture, type FindPicture, type Mail } from './mail.ts'

const TRIALS = ['accepted', 'refused', 'no-login', 'insecure', 'unreachable', 'silent'] as const

/** How the mail server took a mail, and its own words or the system's. */
export type MailTrial = { kind: (typeof TRIALS)[number]; answer: string }

const SILENCE_MS = 10_000
const MOST_MS = 25_000

type Options = {
  smtpUrl: string
  from: string
  findPicture: FindPicture
  /** How long the server may be silent, and how long the whole trial may take. */
  silenceMs?: number
  mostMs?: number
}

/** Hands a mail to the mail server at once, past the queue, and tells what the server answered. */
export async function tryMail(
  mail: Mail,
  { smtpUrl, from, findPicture, silenceMs = SILENCE_MS, mostMs = MOST_MS }: Options,
): Promise<MailTrial> {
  const letter = { ...(await withPicture(mail, findPicture)), from }
  return tryServer({ smtpUrl, silenceMs, mostMs }, async (server) => (await server.sendMail(letter)).response)
}

/** Signs in at the mail server, and sends nothing. */
export function tryMailServer(smtpUrl: string): Promise<MailTrial> {
  return tryServer({ smtpUrl, silenceMs: SILENCE_MS, mostMs: MOST_MS }, async (server) => {
    await server.verify()
    return ''
  })
}

type Limits = { smtpUrl: string; silenceMs: number; mostMs: number }
type Server = {
  sendMail: (letter: Mail & { from: string }) => Promise<{ response: string }>
  verify: () => Promise<true>
}

/** Does one thing with the mail server, which answers in time or is silent. */
async function tryServer(
  { smtpUrl, silenceMs, mostMs }: Limits,
  work: (server: Server) => Promise<string>,
): Promise<MailTrial> {
  const { createTransport } = await import('nodemailer')
  const server = createTransport({
    url: smtpUrl,
    disableFileAccess: true,
    disableUrlAccess: true,
    dnsTimeout: silenceMs,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
  })
  const done = work(server).then(
    (response): MailTrial => ({ kind: 'accepted', answer: shortened(response) }),
    (error: unknown) => trialOf(error as SmtpError),
  )
  // A server that says a word now and then would never be silent.
  const late = sleep(mostMs, undefined, { ref: false }).then((): MailTrial => ({
    kind: 'silent',
    answer: '',
  }))
  return Promise.race([done, late]).finally(() => server.close())
}

export type SmtpError = { code?: string; response?: string; message?: string }

/** Tells from nodemailer's error who failed, and how. */
export function trialOf({ code, response, message = '' }: SmtpError): MailTrial {
  if (response) return { kind: code === 'EAUTH' ? 'no-login' : 'refused', answer: shortened(response) }
  if (code === 'EAUTH') return { kind: 'no-login', answer: shortened(message) }
  if (code === 'ETIMEDOUT') return { kind: 'silent', answer: '' }
  const isInsecure = code === 'ETLS' || /certificate|\bTLS\b|\bSSL\b/i.test(message)
  return { kind: isInsecure ? 'insecure' : 'unreachable', answer: shortened(message) }
}

const shortened = (text: string) => cleanLine(text.slice(0, 1000)).slice(0, 300)
