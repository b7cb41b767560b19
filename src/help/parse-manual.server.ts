import { marked, type MarkedToken, type Token, type Tokens } from 'marked'
import { isOffice, ROLES, rolesThat, type Role } from '../rights.ts'
import {
  addressOf,
  slugOf,
  type Block,
  type Chapter,
  type Inline,
  type Readers,
  type Section,
} from './manual.ts'

const NAMES: Record<string, readonly Role[]> = {
  alle: ROLES,
  kontoret: rolesThat(isOffice),
  administratorer: ['administrator'],
  medarbejdere: ['employee'],
  revisorer: ['auditor'],
  investorer: ['investor'],
  rådgivere: ['adviser'],
}
const WITHOUT_SIGN_IN = ', også uden login'

/** Reads the line below a heading: 'For investorer og rådgivere', 'For alle, også uden login'. */
export function readReaders(line: string): Readers {
  const isPublic = line.endsWith(WITHOUT_SIGN_IN)
  const names = (isPublic ? line.slice(0, -WITHOUT_SIGN_IN.length) : line)
    .replace(/^For /, '')
    .split(/, | og /)
  const roles = new Set(
    names.flatMap((name) => {
      const known = NAMES[name]
      if (!known) throw new Error(`The manual is for '${name}', who is nobody: '${line}'.`)
      return known
    }),
  )
  return { roles: ROLES.filter((role) => roles.has(role)), isPublic }
}

/** The anchor of a heading in the manual's own links, as GitHub makes it: '#api-nøgler'. */
const anchorOf = (title: string) =>
  `#${title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')}`

/**
 * Reads the manual: `##` is a chapter, `###` a section, and the emphasised line below says who it is for. A section
 * without such a line is for the readers of its chapter. Throws on anything that the pages cannot show.
 */
export function parseManual(source: string): Chapter[] {
  const tokens = marked.lexer(source).filter(isMarked)
  const addresses = addressesIn(tokens)
  const chapters: Chapter[] = []
  let blocks: Block[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'space' || (token.type === 'heading' && token.depth === 1)) continue
    const before = tokens.slice(0, index).findLast(({ type }) => type !== 'space')
    if (before?.type === 'heading' && before.depth > 1 && readersIn(token)) continue
    if (token.type !== 'heading') {
      if (chapters.length > 0) blocks.push(readBlock(token, addresses))
      continue
    }
    const after = tokens.slice(index + 1).find(({ type }) => type !== 'space')
    const part = startPart(token, after && readersIn(after), chapters)
    blocks = part.blocks
  }
  return chapters
}

function startPart(
  { depth, text }: Tokens.Heading,
  readers: Readers | null | undefined,
  chapters: Chapter[],
): Chapter | Section {
  const chapter = chapters.at(-1)
  if (depth === 2) {
    if (!readers) throw new Error(`The manual does not say whom '${text}' is for.`)
    chapters.push({ slug: slugOf(text), title: text, readers, blocks: [], sections: [] })
    return chapters.at(-1)!
  }
  if (depth !== 3 || !chapter) throw new Error(`The manual has no place for the heading '${text}'.`)
  const section: Section = { id: slugOf(text), title: text, readers: readers ?? chapter.readers, blocks: [] }
  chapter.sections.push(section)
  return section
}

/** Finds the address of each heading. */
function addressesIn(tokens: MarkedToken[]): Map<string, string> {
  const addresses = new Map<string, string>()
  let chapter = ''
  for (const token of tokens)
    if (token.type === 'heading' && token.depth > 1) {
      const anchor = anchorOf(token.text)
      if (addresses.has(anchor)) throw new Error(`The manual has the heading '${token.text}' twice.`)
      if (token.depth === 2) chapter = slugOf(token.text)
      addresses.set(anchor, addressOf(chapter, token.depth === 2 ? undefined : slugOf(token.text)))
    }
  return addresses
}

function readersIn(token: MarkedToken): Readers | null {
  if (token.type !== 'paragraph' || token.tokens.length !== 1) return null
  const [only] = token.tokens
  return only?.type === 'em' && only.raw.startsWith('*For ') ? readReaders((only as Tokens.Em).text) : null
}

const PICTURE = /^pictures\/([a-z-]+)-light\.webp$/

function readBlock(token: MarkedToken, addresses: Map<string, string>): Block {
  const inline = (tokens: Token[]) => readInline(tokens, addresses)
  switch (token.type) {
    case 'paragraph': {
      const [only] = token.tokens
      if (token.tokens.length === 1 && only?.type === 'image') return readPicture(only as Tokens.Image)
      return { kind: 'paragraph', parts: inline(token.tokens) }
    }
    case 'text':
      return { kind: 'paragraph', parts: inline(token.tokens ?? [token]) }
    case 'list':
      return {
        kind: 'list',
        isNumbered: token.ordered,
        items: token.items.map(({ tokens }) =>
          tokens
            .filter(isMarked)
            .filter(({ type }) => type !== 'space')
            .map((each) => readBlock(each, addresses)),
        ),
      }
    case 'table':
      return {
        kind: 'table',
        head: token.header.map(({ tokens }) => inline(tokens)),
        rows: token.rows.map((row) => row.map(({ tokens }) => inline(tokens))),
      }
    case 'code':
      return { kind: 'code', text: token.text }
    default:
      throw new Error(`The manual cannot show this (${token.type}): ${token.raw}`)
  }
}

function readPicture({ href, text }: Tokens.Image): Block {
  const name = PICTURE.exec(href)?.[1]
  if (!name || text === '') throw new Error(`The manual has a picture without a name or words: ${href}`)
  return { kind: 'picture', name, text }
}

function readInline(tokens: Token[], addresses: Map<string, string>): Inline[] {
  return tokens.filter(isMarked).map((token): Inline => {
    switch (token.type) {
      case 'text':
      case 'escape':
        return { kind: 'text', text: token.text }
      case 'codespan':
        return { kind: 'code', text: token.text }
      case 'strong':
        return { kind: 'strong', parts: readInline(token.tokens, addresses) }
      case 'em':
        return { kind: 'emphasis', parts: readInline(token.tokens, addresses) }
      case 'link': {
        const href = addresses.get(decodeURIComponent(token.href))
        if (href === undefined) throw new Error(`The manual links to nothing: ${token.raw}`)
        return { kind: 'link', href, parts: readInline(token.tokens, addresses) }
      }
      default:
        throw new Error(`The manual cannot show this (${token.type}): ${token.raw}`)
    }
  })
}

const KNOWN = new Set(
  'space heading paragraph text list table code image escape codespan strong em link html br del hr blockquote def'.split(
    ' ',
  ),
)

/** Without extensions of marked there are no other tokens. */
const isMarked = (token: Token): token is MarkedToken => KNOWN.has(token.type)
