import { formatBytes } from '../../base/bytes.ts'

/** What is known about an entry of a directory without opening it. */
export type Found = {
  kind: 'file' | 'link' | 'device' | 'unreadable' | 'unopened'
  size: number
  /** The names on the way to it, from the root on, and its own last. */
  names: readonly string[]
}

/** Directories of which a drive has hundreds of copies: not even opened. */
const SNAPSHOTS = /^(?:\.snapshots?|~snapshot|\.zfs)$/i
/** Directories that only a system needs. Files in them are reported, but not imported. */
const SYSTEM_DIRECTORIES =
  /^(?:\$recycle\.bin|recycler|recycled|system volume information|\.trash(?:es|-\d+)?|#recycle|@eadir|@tmp|__macosx|\.git|\.svn|\.fseventsd|\.spotlight-v100|\.temporaryitems|lost\+found)$/i

const SYSTEM_FILES: [pattern: RegExp, why: string][] = [
  [/^thumbs\.db(?::encryptable)?$|^ehthumbs(?:_vista)?\.db$/i, 'Windows’ små billeder (Thumbs.db).'],
  [/^desktop\.ini$|^autorun\.inf$|^folder\.jpg$/i, 'Windows’ egne indstillinger for mappen.'],
  [/^\.ds_store$|^\._|^\.localized$|^icon\s*$/i, 'En hjælpefil fra en Mac.'],
  [/^~\$|^\.~lock\..*#$|^~wrl\d+\.tmp$|\.laccdb$|\.ldb$/i, 'En låsefil fra et åbent dokument.'],
  [/\.(?:lnk|url|webloc|desktop|website)$/i, 'En genvej og ikke selve filen.'],
  [/\.(?:tmp|temp|part|crdownload|partial|swp)$|^~.*\.tmp$/i, 'En midlertidig fil.'],
  [/\.(?:exe|dll|sys|msi|bat|cmd|com|scr|vbs|ps1|jar)$/i, 'Et program og ikke et dokument.'],
]

export const isSnapshot = (name: string) => SNAPSHOTS.test(name)

/** Says in Danish why an entry is not imported; null if it may be. */
export function whyNotTaken({ kind, size, names }: Found, mostBytes: number): string | null {
  if (kind === 'link') return 'En henvisning (symbolsk link). Den følges ikke.'
  if (kind === 'device') return 'Ikke en almindelig fil.'
  if (kind === 'unreadable') return 'Kan ikke læses. Se efter, om der er adgang.'
  if (kind === 'unopened') return 'Systemets egne kopier af drevet. Mappen er ikke åbnet.'
  const system = names.slice(0, -1).find((name) => SYSTEM_DIRECTORIES.test(name))
  if (system !== undefined) return `Ligger i systemets egen mappe ”${system}”.`
  const name = names.at(-1) ?? ''
  for (const [pattern, why] of SYSTEM_FILES) if (pattern.test(name)) return why
  if (size === 0) return 'Filen er tom.'
  if (size > mostBytes) return `Filen fylder mere end ${formatBytes(mostBytes)}.`
  return null
}
