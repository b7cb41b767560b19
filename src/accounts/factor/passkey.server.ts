import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { RelyingParty } from './relying-party.ts'

/** How long a browser waits for the person. */
export const PASSKEY_MINUTES = 5

/** EdDSA, ES256 and RS256, by their COSE numbers. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded with the first passkey: it is large, and most requests do without it. */
const library = () => import('@simplewebauthn/server')

type Known = { credential: Buffer; transports: string[] }

/** Asks a browser to make a passkey, protected by fingerprint, face or code, so that it can replace the password. */
export async function registrationOptions(
  party: RelyingParty,
  office: string,
  user: { id: number; name: string; email: string },
  known: Known[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    supportedAlgorithmIDs: ALGORITHMS,
    rpName: office || 'Ringbind',
    rpID: party.id,
    userID: new TextEncoder().encode(`ringbind ${user.id}`),
    userName: user.email,
    userDisplayName: user.name,
    timeout: PASSKEY_MINUTES * 60_000,
    attestationType: 'none',
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Asks a browser to use one of these passkeys, or any that it has for us. */
export async function authenticationOptions(
  party: RelyingParty,
  known: Known[] = [],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: PASSKEY_MINUTES * 60_000,
    userVerification: 'required',
    ...(known.length > 0 && { allowCredentials: known.map(descriptorOf) }),
  })
}

const descriptorOf = ({ credential, transports }: Known) => ({
  id: credential.toString('base64url'),
  transports: transports as AuthenticatorTransport[],
})

type MadePasskey = { credential: Buffer; publicKey: Buffer; counter: number; transports: string[] }

/** Returns the passkey that a browser made, or null if the answer is not one to our question. */
export async function readNewPasskey(
  party: RelyingParty,
  challenge: string,
  answer: unknown,
): Promise<MadePasskey | null> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      supportedAlgorithmIDs: ALGORITHMS,
      response: answer as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    if (!registrationInfo) return null
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return {
      credential: Buffer.from(id, 'base64url'),
      publicKey: Buffer.from(publicKey),
      counter,
      transports: transports.filter((each) => KNOWN_TRANSPORTS.has(each)),
    }
  } catch {
    return null // the library throws for everything that is wrong with an answer
  }
}

const KNOWN_TRANSPORTS = new Set<string>(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

export type StoredPasskey = Known & { publicKey: Buffer; counter: number }

/** Returns the passkey's new counter, or null if it did not answer our question. */
export async function verifyPasskey(
  party: RelyingParty,
  challenge: string,
  answer: unknown,
  stored: StoredPasskey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: stored.credential.toString('base64url'),
        publicKey: new Uint8Array(stored.publicKey),
        counter: stored.counter,
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}
