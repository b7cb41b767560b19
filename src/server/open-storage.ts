import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openDiskStorage } from './storage-disk.ts'
import type { Storage } from './storage.ts'

/** Where this installation's bytes are, for the server and for every command. */
export async function openStorage(_config: Config, dataDir: string): Promise<Storage> {
  return openDiskStorage(join(dataDir, 'files'))
}
