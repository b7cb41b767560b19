/** The host that passkeys belong to, and the origin that a browser must report. */
export type RelyingParty = { id: string; origin: string }

/** Browsers give passkeys only to a host with a name, over https or on the same computer. Null if this address is none. */
export function relyingPartyOf(appUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(appUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isNumber = /^[\d.]+$|^\[/.test(hostname)
  return !isNumber && (protocol === 'https:' || isLocal) ? { id: hostname, origin } : null
}
