const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] // S9.3
const BASE = 1024

/** 1536 becomes '1.5 KB': base 1024, by default at most two decimals, no trailing zeros. */
export function formatBytes(bytes: number, decimals = 2): string {
  if (bytes === 0) return '0 Bytes'
  const rounded = (power: number) => Number((bytes / BASE ** power).toFixed(Math.max(0, decimals)))
  let power = Math.min(Math.floor(Math.log(bytes) / Math.log(BASE)), UNITS.length - 1)
  // 1,048,575 bytes round to 1 MB, not to 1024 KB.
  if (rounded(power) >= BASE && power < UNITS.length - 1) power++
  return `${rounded(power)} ${UNITS[power]}`
}
