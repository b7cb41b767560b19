import msgReader from '@kenjiuno/msgreader'
import PostalMime, { type Address } from 'postal-mime'
import { htmlToText } from './markup.ts'
import type { PieceWriter } from './piece-writer.ts'
import { addLines } from './plain-text.ts'
import { Unreadable } from './reading-fault.ts'

type Mail = { subject: string; people: string[]; body: string; attachments: string[] }

/** The beginning of a mail that Outlook has saved (.msg). */
const COMPOUND = Buffer.from('d0cf11e0', 'hex')
const MOST_PEOPLE = 1000

/** Reads a mail: its subject, its people, its text, and the names of its attachments. */
export async function readMail(bytes: Buffer, to: PieceWriter): Promise<void> {
  const isOutlook = bytes.subarray(0, COMPOUND.length).equals(COMPOUND)
  const { subject, people, body, attachments } = isOutlook ? readOutlook(bytes) : await readMime(bytes)
  const head = [
    subject,
    people.slice(0, MOST_PEOPLE).join(', '),
    attachments.slice(0, MOST_PEOPLE).join(', '),
  ]
  addLines([...head, body].map((part) => part.replaceAll('\f', '\n')).join('\n'), to)
}

async function readMime(bytes: Buffer): Promise<Mail> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 50 }).catch((error: unknown) => {
    throw new Unreadable('damaged', error)
  })
  if (mail.headers.length === 0) throw new Unreadable('damaged')
  const people = [mail.from, ...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(peopleIn)
  return {
    subject: mail.subject ?? '',
    people,
    body: mail.text?.trim() ? mail.text : htmlToText(mail.html ?? ''),
    attachments: mail.attachments.flatMap(({ filename }) => (filename ? [filename] : [])),
  }
}

function peopleIn(address: Address | undefined): string[] {
  if (!address) return []
  const { name, group } = address
  return group ? [name, ...group.flatMap(peopleIn)] : [`${name} ${address.address ?? ''}`.trim()]
}

function readOutlook(bytes: Buffer): Mail {
  const MsgReader = msgReader.default
  const mail = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.length)).getFileData()
  if (mail.dataType !== 'msg' || mail.error) throw new Unreadable('damaged')
  const people = [
    { name: mail.senderName, email: mail.senderSmtpAddress ?? mail.senderEmail },
    ...(mail.recipients ?? []).map(({ name, email, smtpAddress }) => ({ name, email: smtpAddress ?? email })),
  ]
  const html = mail.bodyHtml ?? (mail.html && new TextDecoder().decode(mail.html))
  return {
    subject: mail.subject ?? '',
    people: people.map(({ name = '', email = '' }) => `${name} ${name === email ? '' : email}`.trim()),
    body: mail.body?.trim() ? mail.body : htmlToText(html ?? ''),
    attachments: (mail.attachments ?? []).flatMap(({ fileName, name }) => fileName ?? name ?? []),
  }
}
