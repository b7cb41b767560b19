import { cleanLine } from '../../base/text.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** The encoding of Danish Windows and old servers, in which every byte is a letter. */
const windows = new TextDecoder('windows-1252')

/** Decodes a name from UTF-8, or else from Windows-1252. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return windows.decode(bytes)
  }
}

/** Splits the bytes of a path at each '/', which is never a part of a letter. */
export function splitPath(path: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = []
  let from = 0
  for (let at = path.indexOf(SLASH); at >= 0; at = path.indexOf(SLASH, from)) {
    parts.push(path.subarray(from, at))
    from = at + 1
  }
  return [...parts, path.subarray(from)]
}

const SLASH = 0x2f

/** Returns a path as people read it: '1024 Nordhavn/Årsrapport.pdf', each name on one line and composed. */
export function shownPath(path: Uint8Array): string {
  return splitPath(path)
    .map((part) => fitName(decodeName(part)) || '?')
    .join('/')
}

// oxlint-disable-next-line no-control-regex -- the pattern looks for them
const UNFIT = /[/\\\0-\x1f\x7f-\x9f]+/g

/** Replaces characters that our names may not have by spaces: other systems allow other characters. */
const fitName = (name: string) => cleanLine(name.replaceAll(UNFIT, ' '))
