import type { Scope } from '../../rights.ts'

/** How every secret begins, so that programs that look for leaked secrets know it. */
export const SECRET_START = 'rb_'
/** A secret: 256 random bits after its beginning. */
export const SECRET = /^rb_[\w-]{43}$/
/** How many letters of a secret are kept and shown. */
export const PREFIX_LETTERS = 7

/** At most this many keys of a person work at a time. */
export const MOST_TOKENS = 20
export const NAME_LETTERS = 100

/** How many days a key can last. */
export const LIFETIMES = [30, 90, 365] as const
type Lifetime = (typeof LIFETIMES)[number]
export const LIFETIME_NAMES: Record<Lifetime, string> = { 30: '30 dage', 90: '90 dage', 365: 'Et år' }

export const SCOPE_NAMES: Record<Scope, string> = { read: 'Læse', upload: 'Uploade', manage: 'Ændre' }
export const SCOPE_HELP: Record<Scope, string> = {
  read: 'Se lister, søge og hente filer.',
  upload: 'Sende nye filer.',
  manage: 'Flytte, omdøbe, sortere, slette og gendanne filer.',
}

/** How many calls the keys of one person may make together in a minute, where a browser may make so many. `app.ts` counts. */
export const callsPerMinute = (requestsPerMinute: number) => Math.ceil(requestsPerMinute / 10)

type TokenState = 'active' | 'expired' | 'revoked'

/** An API key as its person and administrators see it. */
export type Token = {
  id: number
  name: string
  /** 'rb_Ab3d' */
  prefix: string
  scopes: Scope[]
  /** 'Chrome på Windows', where it was made. */
  device: string
  created_at: string
  expires_at: string
  used_at: string | null
  revoked_at: string | null
}

/** One of everybody's keys. */
export type OfficeToken = Token & { user: { id: number; name: string } }

export function stateOf({ expires_at: expires, revoked_at: revoked }: Token, now: Date): TokenState {
  if (revoked !== null) return 'revoked'
  return Date.parse(expires) <= now.getTime() ? 'expired' : 'active'
}

const DAY_MS = 86_400_000
/** A key that ends within so many days is pointed out. */
const SOON_DAYS = 14

/** How many days a key still works, and whether that is worth a warning. */
export function endOf({ expires_at: expires }: Token, now: Date): { text: string; isSoon: boolean } {
  const left = (Date.parse(expires) - now.getTime()) / DAY_MS
  const days = Math.floor(left)
  const text =
    days < 1 ? 'Udløber inden for et døgn' : days === 1 ? 'Udløber om 1 dag' : `Udløber om ${days} dage`
  return { text, isSoon: left <= SOON_DAYS }
}
