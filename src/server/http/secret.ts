import { hash, randomBytes } from 'node:crypto'

/** Returns random letters for a cookie or an address: 43 of them for 32 bytes. */
export const newSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url')

/** All that is stored of a secret. Secrets are too long to be guessed from it, so that it need not be slow. */
export const hashOfSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')
