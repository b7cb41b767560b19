import { trialOf, type MailTrial, type SmtpError } from './try-mail.ts'

const MOST_LETTERS = 200

/** The words about errors that are not an answer to the mail. They would tell of the installation, not of the person. */
const WORDS: Record<Exclude<MailTrial['kind'], 'accepted' | 'refused'>, string> = {
  'no-login': 'Ringbind kunne ikke logge ind på mailserveren',
  insecure: 'Der var ingen sikker forbindelse til mailserveren',
  unreachable: 'Mailserveren kunne ikke nås',
  silent: 'Mailserveren svarede ikke i tide',
}

/** Codes of nodemailer and of the network. An error with another code comes from Ringbind itself. */
const MAIL_CODE =
  /^E(?:CONN|TIMEDOUT|SOCKET|DNS|TLS|AUTH|ENVELOPE|MESSAGE|PROTOCOL|NOTFOUND|HOST|NET|PIPE|AI)/

export const OWN_FAULT = 'En fejl i Ringbind standsede mailen'

/** Tells in short why a mail was not delivered, such as '550 No such user'. Leaves out secrets that a server may repeat. */
export function mailReason(error: unknown): string {
  const { code = '', response, message, cause } = error as SmtpError & { cause?: unknown }
  if (!response && cause) return mailReason(cause)
  if (!response && !MAIL_CODE.test(code)) return OWN_FAULT
  const { kind, answer } = trialOf({ code, response: response ?? '', message: message ?? '' })
  if (kind !== 'refused' && kind !== 'accepted') return WORDS[kind]
  return shortened(answer.replaceAll(LINK, '…').replaceAll(TOKEN, '…'))
}

/** Spam filters quote links, and the link of an invitation is a secret. */
const LINK = /\bhttps?:\S+|\S+\/invitation\/\S+/gi
const TOKEN = /[\w-]{24,}/g

const shortened = (text: string) =>
  text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS).trimEnd()}…` : text
