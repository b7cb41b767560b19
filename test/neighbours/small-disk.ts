import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { afterwards } from '../clean-up.ts'

export type SmallDisk = {
  /** Its mount point. */
  disk: string
  /** The file that holds it. */
  image: string
  /** Why it cannot be mounted, or null. */
  refusal: string | null
}

/** Mounts a disk of `bytes` in `base`, and unmounts it after the test. */
export function mountSmallDisk(base: string, bytes: number): SmallDisk {
  const [image, disk] = [join(base, 'image'), join(base, 'disk')]
  const refusal = mountImage(image, disk, bytes)
  if (!refusal) {
    chmodSync(disk, 0o711)
    afterwards(async () => {
      if (runAsRoot('umount', disk)) expect(runAsRoot('umount', '--lazy', disk)).toBe(null)
    })
  }
  return { disk, image, refusal }
}

function mountImage(image: string, disk: string, bytes: number): string | null {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return 'only root on Linux may mount'
  writeFileSync(image, '')
  truncateSync(image, bytes)
  mkdirSync(disk)
  return runAsRoot('mkfs.ext4', '-q', '-F', '-m', '0', image) ?? runAsRoot('mount', '-o', 'loop', image, disk)
}

/** Runs a command. Returns its error, or null. */
export function runAsRoot(command: string, ...args: string[]): string | null {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? stderr).trim() || `${command} failed`
}
