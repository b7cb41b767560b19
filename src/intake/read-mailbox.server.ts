import { hash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { isIP } from 'node:net'
import { ImapFlow, type FetchMessageObject, type FetchQueryObject } from 'imapflow'
import { htmlToText } from '../server/reading/markup.ts'
import { DiskLow } from '../server/storage/disk-room.ts'
import { StoreAway } from '../server/storage/storage.ts'
import { TooLarge } from '../server/storage/measure.ts'
import type { MailboxAddress } from '../server/process/setting-kinds.ts'
import { formatBytes } from '../base/bytes.ts'
import { noteFrom, senderFrom, subjectFrom, untakenFrom, type Intake, type Untaken } from './intake.ts'
import { removeUnfinished, openIntake, setUntaken, takeFile, type Place } from './intake.db.ts'
import { partsOf, type MailFile, type MailParts } from './mail-parts.ts'
import {
  countTry,
  endMail,
  uncountTry,
  isNewMail,
  listUnmarked,
  openState,
  readUpTo,
  setMarked,
  type MailboxState,
} from './mailbox.db.ts'

/** How often an unreadable mail is tried. */
const MOST_TRIES = 5
/** How many mails are marked with one command. */
const MARKED_AT_ONCE = 200
/** The most bytes of a mail's text that are fetched. */
const TEXT_BYTES = 200_000
const PIECE_BYTES = 1024 * 1024

type Reading = { mailbox: MailboxAddress; maxFileBytes: number }

/** 'bo@example.dk@mail.example.dk/INBOX' */
const nameOfMailbox = ({ user, host, folder }: MailboxAddress) => `${user}@${host}/${folder}`

/** Takes new mails, each once, and marks them as read. Returns how many it took. */
export async function readMailbox(
  place: Place,
  { mailbox, maxFileBytes }: Reading,
  signal: AbortSignal,
): Promise<number> {
  const client = connection(mailbox)
  const stop = () => client.close()
  signal.addEventListener('abort', stop)
  try {
    await client.connect()
    const { uidValidity, uidNext } = await client.mailboxOpen(mailbox.folder)
    const state = await openState(place.db, nameOfMailbox(mailbox), {
      uidValidity: Number(uidValidity),
      uidNext,
    })
    // Nobody else reads it now, so unfinished intakes are started again.
    await removeUnfinished(place.db, 'mailbox')
    const mark = () => markTaken(place, client, state, mailbox)
    await mark()
    let taken = 0
    for (const uid of await listNew(client, state, uidNext)) {
      if (signal.aborted) return taken
      if (await new Mail(place, client, state, uid, { most: maxFileBytes, signal }).take()) taken++
      await mark()
    }
    await readUpTo(place.db, state, uidNext - 1)
    await client.logout()
    return taken
  } finally {
    signal.removeEventListener('abort', stop)
    client.close()
  }
}

function connection({ host, port, isSecure, user, password }: MailboxAddress): ImapFlow {
  const isHere = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  const client = new ImapFlow({
    host,
    port,
    secure: isSecure,
    // The password is sent only over a secure connection, or to this computer.
    ...(!isSecure && !isHere && { doSTARTTLS: true }),
    auth: { user, pass: password },
    // Its log would contain mails and user names.
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: 30_000,
    greetingTimeout: 16_000,
    socketTimeout: 60_000,
    maxLineLength: 4 * 1024 * 1024,
    maxLiteralSize: 16 * 1024 * 1024,
    maxResponseSize: 32 * 1024 * 1024,
  })
  // Everybody who awaits an answer gets the error too.
  client.on('error', () => undefined)
  return client
}

/** Lists the mails that have not been looked at. Of the mails that were there before us, only the unread ones. */
async function listNew(
  client: ImapFlow,
  { lastUid, sinceUid }: MailboxState,
  uidNext: number,
): Promise<number[]> {
  const search = async (from: number, to: number, more: object) =>
    from > to ? [] : (await client.search({ uid: `${from}:${to}`, ...more }, { uid: true })) || []
  const old = await search(lastUid + 1, Math.min(sinceUid, uidNext) - 1, { seen: false })
  const fresh = await search(Math.max(lastUid + 1, sinceUid), uidNext - 1, {})
  return [...old, ...fresh].filter((uid) => uid > lastUid).sort((a, b) => a - b)
}

/** Marks taken mails as read, and moves them if wished. After a crash the next reading does it. */
async function markTaken(
  { db }: Place,
  client: ImapFlow,
  state: MailboxState,
  { moveTo }: MailboxAddress,
): Promise<void> {
  for (;;) {
    const uids = await listUnmarked(db, state, MARKED_AT_ONCE)
    if (uids.length === 0) return
    const range = uids.join(',')
    await client.messageFlagsAdd(range, ['\\Seen'], { uid: true })
    if (moveTo !== null && !(await client.messageMove(range, moveTo, { uid: true }))) {
      await client.mailboxCreate(moveTo)
      await client.messageMove(range, moveTo, { uid: true })
    }
    await setMarked(db, state, uids)
  }
}

/** A mail that is being taken. */
class Mail {
  readonly #place: Place
  readonly #client: ImapFlow
  readonly #state: MailboxState
  readonly #uid: number
  readonly #most: number
  readonly #signal: AbortSignal

  constructor(
    place: Place,
    client: ImapFlow,
    state: MailboxState,
    uid: number,
    { most, signal }: { most: number; signal: AbortSignal },
  ) {
    this.#place = place
    this.#client = client
    this.#state = state
    this.#uid = uid
    this.#most = most
    this.#signal = signal
  }

  /** Returns false if it is taken already, or gone. */
  async take(): Promise<boolean> {
    const { db } = this.#place
    const tries = await countTry(db, this.#state, this.#uid)
    if (tries === null) return false
    try {
      const intake = tries < MOST_TRIES ? await this.#read() : await this.#giveUp(tries)
      if (intake !== null) await endMail(db, this.#state, this.#uid, intake)
      else await readUpTo(db, this.#state, this.#uid)
      return intake !== null
    } catch (error) {
      const isOurFault = error instanceof DiskLow || error instanceof StoreAway || this.#signal.aborted
      if (isOurFault) await uncountTry(db, this.#state, this.#uid)
      throw error
    }
  }

  /** Stores the mail. Returns null if it is gone, or taken already. */
  async #read(): Promise<number | null> {
    const found = await this.#fetch({ uid: true, envelope: true, bodyStructure: true, size: true })
    if (!found || !(await isNewMail(this.#place.db, this.#state, this.#uid, fingerprintOf(found))))
      return null
    return this.#store(found)
  }

  /** Records at least that there is a mail, and its sender if that can be read. */
  async #giveUp(tries: number): Promise<number> {
    const found = tries === MOST_TRIES ? await this.#fetch({ uid: true, envelope: true }) : null
    return this.#storeUnread(found)
  }

  async #fetch(what: FetchQueryObject): Promise<FetchMessageObject | null> {
    return (await this.#client.fetchOne(String(this.#uid), what, { uid: true })) || null
  }

  async #store(found: FetchMessageObject): Promise<number> {
    const { db, storage } = this.#place
    const parts = found.bodyStructure ? partsOf(found.bodyStructure, this.#most) : null
    if (!parts) return this.#storeUnread(found)
    await storage.room?.ensure(found.size ?? 0)
    const { files, pictures } = parts
    const untaken = [...parts.untaken]
    const told = { ...about(found), note: await this.#readText(parts), pictures }
    // A file may be larger than its stated size, so the files that were not taken are known only at the end.
    const intake = await openIntake(db, { ...told, untaken: untakenFrom(untaken) })
    for (const file of files) {
      const why = await this.#storeFile(intake, file)
      if (why !== null) untaken.push(why)
    }
    if (untaken.length > parts.untaken.length) await setUntaken(db, intake, untakenFrom(untaken))
    return intake
  }

  async #storeFile(intake: number, { part, name }: MailFile): Promise<Untaken | null> {
    const { content } = await this.#client.download(String(this.#uid), part, {
      uid: true,
      chunkSize: PIECE_BYTES,
    })
    if (!content) return { name, why: 'er tom' }
    try {
      await takeFile(this.#place, {
        name,
        bytes: content,
        limit: this.#most,
        of: () => Promise.resolve(intake),
      })
      return null
    } catch (error) {
      if (error instanceof TooLarge)
        return {
          name,
          why: `er for stor; der kan højst tages ${formatBytes(this.#most)}. Filen ligger i postkassen`,
        }
      throw error
    }
  }

  async #readText({ text: where }: MailParts): Promise<string> {
    if (!where) return ''
    const { content } = await this.#client.download(String(this.#uid), where.part, {
      uid: true,
      maxBytes: TEXT_BYTES,
    })
    if (!content) return ''
    const said = await text(content)
    return noteFrom(where.isHtml ? htmlToText(said) : said)
  }

  #storeUnread(found: FetchMessageObject | null): Promise<number> {
    return openIntake(this.#place.db, {
      ...about(found),
      note: '',
      pictures: 0,
      untaken: [{ name: 'Mailen', why: 'kunne ikke læses. Den ligger i postkassen' }],
    })
  }
}

/** Returns the sender, subject and time of a mail. */
function about(found: FetchMessageObject | null): Pick<Intake, 'source' | 'sender' | 'subject'> {
  const envelope = found?.envelope
  const [from] = envelope?.from ?? []
  const sender = [from?.name, from?.address && (from.name ? `<${from.address}>` : from.address)]
  return {
    source: 'mailbox',
    sender: senderFrom(sender.filter(Boolean).join(' ')),
    subject: subjectFrom(envelope?.subject ?? ''),
  }
}

/** The same for the same mail, also after its mailbox has moved to another server. */
function fingerprintOf({ envelope, size }: FetchMessageObject): string {
  const [from] = envelope?.from ?? []
  const facts = [envelope?.messageId, from?.address, envelope?.subject, envelope?.date, size]
  return hash('sha256', JSON.stringify(facts))
}
