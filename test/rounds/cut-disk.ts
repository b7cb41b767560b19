import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const exec = promisify(execFile)
const GB = 2 ** 30

/** Returns why this machine cannot test power cuts, or null if it can. */
export function whyNoCuts(): string | null {
  if (process.platform !== 'linux') return 'only Linux has loop devices'
  if (process.geteuid?.() !== 0) return 'only root may mount'
  for (const program of ['mkfs.ext4', 'losetup', 'mount', 'umount'])
    if (spawnSync(program, ['-V']).error) return `there is no ${program}`
  const { status, stderr } = spawnSync('losetup', ['-f'], { encoding: 'utf8' })
  return status === 0 ? null : `there is no loop device: ${stderr.trim()}`
}

/** Returns the fastest directory with room for the images. */
export async function roomForImages(): Promise<string> {
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > 4 * GB ? '/dev/shm' : tmpdir()
}

/** Makes an empty ext4 file system in a sparse file. */
export async function makeImage(image: string): Promise<void> {
  await exec('truncate', ['-s', String(3 * GB), image])
  const now = 'lazy_itable_init=0,lazy_journal_init=0' // otherwise the kernel keeps writing
  await exec('mkfs.ext4', ['-q', '-N', '20000', '-J', 'size=16', '-E', now, image])
}

/** Copies an image and keeps its holes: nearly all of it is empty. */
export async function copyImage(from: string, to: string): Promise<void> {
  await rm(to, { force: true })
  await exec('cp', ['--reflink=auto', '--sparse=auto', from, to])
}

/**
 * A disk that can lose power. The image lacks everything that the kernel has not written yet, so a copy of the image
 * is what a power cut at that moment would leave.
 */
export class CutDisk implements AsyncDisposable {
  image: string
  directory: string
  #device: string

  private constructor(image: string, directory: string, device: string) {
    this.image = image
    this.directory = directory
    this.#device = device
  }

  /** Mounts an image. The kernel replays the journal, as at any start. */
  static async mount(image: string, directory: string): Promise<CutDisk> {
    await mkdir(directory, { recursive: true })
    const { stdout } = await exec('losetup', ['-f', '--show', image])
    const device = stdout.trim()
    try {
      await exec('mount', ['-t', 'ext4', '-o', 'noatime', device, directory])
    } catch (error) {
      await exec('losetup', ['-d', device])
      throw error
    }
    await chmod(directory, 0o711)
    return new CutDisk(image, directory, device)
  }

  /** Copies the disk at one moment. The caller has stopped all writers; waits for the kernel's own writes. */
  async clone(to: string): Promise<void> {
    for (;;) {
      const before = this.#written()
      await copyImage(this.image, to)
      if (before === this.#written() && before.endsWith(' 0')) return
      await sleep(5)
    }
  }

  /** Returns how much was written to the device, and how much is being written. */
  #written(): string {
    const stat = readFileSync(`/sys/block/${basename(this.#device)}/stat`, 'utf8')
      .trim()
      .split(/\s+/)
    return `${stat[4]} ${stat[6]} ${stat[8]}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const failed = await exec('umount', [this.directory]).then(
        () => null,
        (error: Error) => error,
      )
      if (!failed) break
      if (attempt === 100) throw failed // a killed process may still hold it for a moment
      await sleep(50)
    }
    await exec('losetup', ['-d', this.#device])
    await rm(this.directory, { recursive: true, force: true })
  }
}

/** The paths of the images and of their mounts. */
export const imagesIn = (directory: string) => ({
  base: join(directory, 'base.img'),
  disk: join(directory, 'disk.img'),
  clone: join(directory, 'clone.img'),
})
