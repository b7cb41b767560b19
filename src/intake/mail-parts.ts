import { formatBytes } from '../base/bytes.ts'
import { nameFrom, type Untaken } from './intake.ts'

/** A node of a mail, as the mail server describes it. */
export type MailNode = {
  part?: string | undefined
  type: string
  parameters?: Record<string, string> | undefined
  id?: string | undefined
  encoding?: string | undefined
  /** The size as sent, which is larger than the file. */
  size?: number | undefined
  disposition?: string | undefined
  dispositionParameters?: Record<string, string> | undefined
  envelope?: { subject?: string | undefined } | undefined
  childNodes?: MailNode[] | undefined
}

export type MailFile = { part: string; name: string }

export type MailParts = {
  files: MailFile[]
  /** The part with the mail's text. */
  text: { part: string; isHtml: boolean } | null
  /** How many small pictures are left out. */
  pictures: number
  untaken: Untaken[]
}

/** A smaller picture inside the text is a logo, not a paper. */
const SMALL_PICTURE = 64 * 1024
const DEEPEST = 20
export const MOST_MAIL_FILES = 200

/** Signatures, which prove the sender of a mail. They are not filed. */
const SIGNATURES = new Set([
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
  'application/pgp-signature',
])

const EXTENSIONS: Record<string, string> = {
  'application/pdf': '.pdf',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/tiff': '.tif',
  'text/calendar': '.ics',
  'text/html': '.html',
  'text/plain': '.txt',
}

/** Finds the files of a mail, and its text. A mail inside a mail is one file, with its own files in it. */
export function partsOf(root: MailNode, mostBytes: number): MailParts {
  const found: MailParts = { files: [], text: null, pictures: 0, untaken: [] }
  visit(root, found, mostBytes, 0)
  return found
}

function visit(node: MailNode, found: MailParts, mostBytes: number, depth: number): void {
  const type = node.type.toLowerCase()
  if (type.startsWith('multipart/')) {
    if (depth >= DEEPEST) found.untaken.push({ name: 'En del af mailen', why: 'ligger for dybt i den' })
    else for (const child of node.childNodes ?? []) visit(child, found, mostBytes, depth + 1)
    return
  }
  // A mail of one part has no number for it.
  const part = node.part ?? '1'
  if (isText(node, type)) {
    const isHtml = type === 'text/html'
    // Prefers plain text, wherever it is; otherwise the first text.
    if (!found.text || (found.text.isHtml && !isHtml)) found.text = { part, isHtml }
  } else if (isLogo(node, type)) found.pictures++
  else if (!SIGNATURES.has(type)) {
    const name = nameOf(node, type)
    const why = whyUntaken(bytesOf(node), found.files.length, mostBytes)
    if (why === null) found.files.push({ part, name })
    else found.untaken.push({ name, why })
  }
}

const isAttached = ({ disposition }: MailNode) => disposition?.toLowerCase() === 'attachment'

const toldName = ({ dispositionParameters, parameters }: MailNode) =>
  dispositionParameters?.filename || parameters?.name

const isText = (node: MailNode, type: string) =>
  (type === 'text/plain' || type === 'text/html') && !isAttached(node) && !toldName(node)

function isLogo(node: MailNode, type: string): boolean {
  const isShown = node.id !== undefined || node.disposition?.toLowerCase() === 'inline'
  return type.startsWith('image/') && isShown && !isAttached(node) && bytesOf(node) < SMALL_PICTURE
}

function whyUntaken(size: number, files: number, mostBytes: number): string | null {
  if (size === 0) return 'er tom'
  if (size > mostBytes)
    return `er på ${formatBytes(size)}; der kan højst tages ${formatBytes(mostBytes)}. Filen ligger i postkassen`
  return files < MOST_MAIL_FILES ? null : `er for meget: der tages højst ${MOST_MAIL_FILES} filer af en mail`
}

/** Base64 takes four letters for three bytes, and two more for each line of 76. */
const bytesOf = ({ size = 0, encoding }: MailNode) =>
  encoding?.toLowerCase() === 'base64' ? Math.floor((size * 3) / 4 / (78 / 76)) : size

function nameOf(node: MailNode, type: string): string {
  const told = toldName(node)
  if (told) return nameFrom(told)
  if (type === 'message/rfc822')
    return nameFrom(`${(node.envelope?.subject ?? '').slice(0, 150) || 'Videresendt mail'}.eml`)
  return `Vedhæftet fil${EXTENSIONS[type] ?? ''}`
}
