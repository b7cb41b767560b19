const GO_ON = 'Run the same command again: it goes on where it stopped.'

const REASONS: [codes: string[], reason: string][] = [
  [['ENOSPC', 'EDQUOT'], `is full. Make room. ${GO_ON}`],
  [['EFBIG'], 'takes no file of this size (a stick with FAT32 takes 4 GB). Choose another disk.'],
  [['EROFS', 'EACCES', 'EPERM'], `may not be written to. ${GO_ON}`],
  [
    ['ENOENT', 'ENOTDIR', 'EIO', 'ENODEV', 'ENXIO', 'ESTALE', 'ENOTCONN', 'EHOSTDOWN'],
    `is gone, or its disk does not answer. Bring it back. ${GO_ON}`,
  ],
]

/** Explains what is wrong with the directory of an export; returns other errors unchanged. */
export function targetFault(error: unknown, root: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || !isOf(error, root)) return error
  const reason = REASONS.find(([codes]) => codes.some((code) => code === error.code))?.[1]
  return reason ? new Error(`${root} ${reason} (${error.message})`, { cause: error }) : error
}

/** Node names the path in most errors, but not when it writes to an open file, which only the export does. */
function isOf(error: Error, root: string): boolean {
  if ('path' in error && typeof error.path === 'string') return error.path.startsWith(root)
  return 'syscall' in error && ['write', 'fsync', 'futime', 'close'].includes(String(error.syscall))
}
