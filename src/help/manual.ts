import { fold } from '../search/words/tokens.ts'
import type { Role } from '../rights.ts'
import { urls } from '../urls.ts'

/** The people that a part of the manual is for. `isPublic`: also those who are not signed in. */
export type Readers = { roles: readonly Role[]; isPublic: boolean }

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong'; parts: Inline[] }
  | { kind: 'emphasis'; parts: Inline[] }
  | { kind: 'link'; href: string; parts: Inline[] }

export type Block =
  | { kind: 'paragraph'; parts: Inline[] }
  | { kind: 'list'; isNumbered: boolean; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; text: string }
  | { kind: 'picture'; name: string; text: string }

/** Says how one thing is done. */
export type Section = { id: string; title: string; readers: Readers; blocks: Block[] }

export type Chapter = {
  slug: string
  title: string
  readers: Readers
  /** The text before the first section. */
  blocks: Block[]
  sections: Section[]
}

/** A picture in both looks, with its addresses and its size in pixels. */
export type Picture = { light: string; dark: string; width: number; height: number }

/** 'Når du åbner en fil' is `naar-du-aabner-en-fil` in an address. */
export function slugOf(title: string): string {
  return fold(title)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Whether a part is for a role; null for a visitor who is not signed in. */
export function isFor({ roles, isPublic }: Readers, role: Role | null): boolean {
  return role === null ? isPublic : roles.includes(role)
}

/** Returns the chapters and sections that a reader can use. */
export function chaptersFor(chapters: readonly Chapter[], role: Role | null): Chapter[] {
  return chapters
    .filter(({ readers }) => isFor(readers, role))
    .map((chapter) => ({
      ...chapter,
      sections: chapter.sections.filter(({ readers }) => isFor(readers, role)),
    }))
}

export function addressOf(chapter: string, section?: string): string {
  return `${urls.helpChapter(chapter)}${section === undefined ? '' : `#${section}`}`
}

/** Returns the words of some blocks, without their looks. Blocks, items and cells stand apart. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.map(textOfBlock).join('\n')
}

function textOfBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return plainText(block.parts)
    case 'list':
      return block.items.map(textOf).join('\n')
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(plainText).join(' ')).join('\n')
    default:
      return block.text
  }
}

export function plainText(parts: readonly Inline[]): string {
  return parts.map((part) => ('text' in part ? part.text : plainText(part.parts))).join('')
}

/** Returns all links in some blocks. */
export function linksIn(blocks: readonly Block[]): string[] {
  const inParts = (parts: readonly Inline[]): string[] =>
    parts.flatMap((part) => [
      ...(part.kind === 'link' ? [part.href] : []),
      ...('parts' in part ? inParts(part.parts) : []),
    ])
  return blocks.flatMap((block) => {
    if (block.kind === 'paragraph') return inParts(block.parts)
    if (block.kind === 'list') return block.items.flatMap(linksIn)
    if (block.kind === 'table') return [block.head, ...block.rows].flat().flatMap(inParts)
    return []
  })
}

/** Returns the names of all pictures in some blocks. */
export function picturesIn(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'picture') return [block.name]
    return block.kind === 'list' ? block.items.flatMap(picturesIn) : []
  })
}
