/** A passkey as its owner sees it. */
export type Passkey = { id: number; name: string; added_at: string; used_at: string | null }

/** The second factors of a person. */
export type Factors = {
  /** When the app that shows codes was added. */
  app: string | null
  passkeys: Passkey[]
  /** How many recovery codes are left. */
  codesLeft: number
}

/** At most this many passkeys for one person. */
export const MOST_PASSKEYS = 20
