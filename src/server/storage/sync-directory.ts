import { open } from 'node:fs/promises'

/** Makes the names in a directory survive a power cut. Windows gives no such promise and refuses the call. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  await using handle = await open(directory, 'r')
  await handle.sync()
}
