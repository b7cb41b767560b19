/** The kind of a paper by its name. `text_kind` in the database also checks the bytes. */
type ReadableKind = 'pdf' | 'word' | 'excel' | 'text' | 'mail'

const KINDS: [pattern: RegExp, kind: ReadableKind][] = [
  [/\.pdf$/i, 'pdf'],
  [/\.do[ct][xm]$/i, 'word'],
  [/\.xl[st][xm]$/i, 'excel'],
  [/\.(?:txt|md)$/i, 'text'],
  [/\.(?:eml|msg)$/i, 'mail'],
]

/** Larger papers are not read to find their place: a person sees it at once. */
const MOST_BYTES = 32 * 1024 * 1024

export function kindOf(name: string, size: number): ReadableKind | null {
  if (size > MOST_BYTES) return null
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? null
}
