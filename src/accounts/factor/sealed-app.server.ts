import type { Vault } from '../../server/process/vault.ts'
import { SECRET_BYTES } from './code-app.server.ts'

const aboutOf = (userId: number) => `code app of ${userId}`

export const sealApp = (vault: Vault, userId: number, secret: Buffer): Buffer =>
  vault.seal(secret, aboutOf(userId))

/** Returns an app's secret; null if it was sealed with another key. Returns an unsealed one as it is. */
export const openApp = (vault: Vault, userId: number, stored: Buffer): Buffer | null =>
  stored.length === SECRET_BYTES ? stored : vault.open(stored, aboutOf(userId))
