import { formatBytes } from '../../base/bytes.ts'
import { countFiles } from '../../projects/folder.ts'

/** How much of one year a reader sees. */
export type YearSum = {
  year: number
  /** Null if there are too many to count while a page waits. */
  sum: { files: number; bytes: number } | null
}

/** 'Årspakke 2025 · 14 filer · 23 MB'. */
export function packageText({ year, sum }: YearSum): string {
  return sum
    ? `Årspakke ${year} · ${countFiles(sum.files)} · ${formatBytes(sum.bytes, 0)}`
    : `Årspakke ${year}`
}
