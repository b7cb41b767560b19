import { createHmac } from 'node:crypto'
import type { ClientAuth, Configuration, IDToken } from 'openid-client'
import type { Provider } from '../../config.ts'
import { urls } from '../../urls.ts'
import { boundedFetch, Unreachable } from './bounded-fetch.server.ts'
import { looksLikeCpr, type Problem } from './provider.ts'

/** Why an answer was refused. The reason is for the server's log, and holds nothing personal. */
export class ProviderFault extends Error {
  problem: Problem
  constructor(problem: Problem, reason: string) {
    super(reason)
    this.problem = problem
  }
}

/** The parts of an answer that we keep. */
export type ProvenIdentity = { issuer: string; subject: string }

export type Timing = {
  /** How long one request to a provider may take. */
  seconds: number
  /** How long a provider that does not answer is left alone. */
  restMs: number
  /** How long the metadata of a provider is used. */
  keepMs: number
}

const TIMING: Timing = { seconds: 5, restMs: 10_000, keepMs: 3_600_000 }

type Known = { at: number; configuration: Configuration }

/** Most offices have no provider, so the library is loaded with the first sign-in at one. */
const loadLibrary = () => import('openid-client')

/** The configured providers. The metadata of each is fetched when it is first needed, never at the start. */
export class Providers {
  #all: Map<string, Provider>
  #appUrl: string
  #timing: Timing
  #known = new Map<string, Known>()
  #asking = new Map<string, Promise<Configuration>>()
  #failed = new Map<string, { at: number; fault: ProviderFault }>()

  constructor(
    { providers, appUrl }: { providers: Provider[]; appUrl: string },
    timing: Partial<Timing> = {},
  ) {
    this.#all = new Map(providers.map((provider) => [provider.key, provider]))
    this.#appUrl = appUrl
    this.#timing = { ...TIMING, ...timing }
  }

  find(key: string): Provider | undefined {
    return this.#all.get(key)
  }

  /**
   * Returns the provider's address for the browser. All values that have to come back are made from the attempt's
   * secret. With `asksAnew` the provider asks even somebody who is still signed in there, so that nobody links what
   * another person left open.
   */
  async begin(provider: Provider, secret: string, { asksAnew = false } = {}): Promise<string> {
    const openid = await loadLibrary()
    const configuration = await this.#configurationOf(provider)
    const { state, nonce, verifier } = secretsOf(secret)
    try {
      return openid.buildAuthorizationUrl(configuration, {
        redirect_uri: this.#answerUrl(provider).href,
        // Nothing about the person is asked for: neither their name nor their CPR number.
        scope: 'openid',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(asksAnew && { prompt: 'login' }),
        ...(provider.acrValues !== null && { acr_values: provider.acrValues }),
      }).href
    } catch (error) {
      throw faultOf(error)
    }
  }

  /** Exchanges the answer in the callback's query for an identity. Throws a fault if anything is wrong with it. */
  async finish(
    provider: Provider,
    query: string,
    secret: string,
    /** The person must have signed in there within this time, if the provider says when they did. */
    freshMinutes = Infinity,
  ): Promise<ProvenIdentity> {
    const openid = await loadLibrary()
    const configuration = await this.#configurationOf(provider)
    const { state, nonce, verifier } = secretsOf(secret)
    const address = this.#answerUrl(provider)
    address.search = query
    try {
      const tokens = await openid.authorizationCodeGrant(configuration, address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (
        claims?.auth_time !== undefined &&
        Date.now() / 1000 - claims.auth_time > freshMinutes * 60 + SKEW_SECONDS
      )
        throw new ProviderFault('invalid', 'the person signed in there before they were asked to')
      if (provider.acr !== null && !provider.acr.some((acr) => acr === claims?.acr))
        throw new ProviderFault('weak', 'acr is none of those that are strong enough')
      return identityIn(claims)
    } catch (error) {
      throw faultOf(error)
    }
  }

  #answerUrl({ key }: Provider): URL {
    return new URL(urls.providerAnswer(key), this.#appUrl)
  }

  /** Fetches the provider's metadata, once at a time, and waits a while after it did not answer. */
  async #configurationOf(provider: Provider): Promise<Configuration> {
    const { key } = provider
    const known = this.#known.get(key)
    if (known && Date.now() - known.at < this.#timing.keepMs) return known.configuration
    const failed = this.#failed.get(key)
    const rests = failed && Date.now() - failed.at < this.#timing.restMs
    if (rests && !known) throw failed.fault
    if (rests && known) return known.configuration
    const asking = this.#asking.get(key) ?? this.#discover(provider)
    this.#asking.set(key, asking)
    try {
      const configuration = await asking
      this.#known.set(key, { at: Date.now(), configuration })
      this.#failed.delete(key)
      return configuration
    } catch (error) {
      const fault = faultOf(error)
      this.#failed.set(key, { at: Date.now(), fault })
      // Its earlier answer is better than none.
      if (known) return known.configuration
      throw fault
    } finally {
      this.#asking.delete(key)
    }
  }

  async #discover({ issuer, clientId, clientSecret }: Provider): Promise<Configuration> {
    const openid = await loadLibrary()
    const isHere = issuer.startsWith('http:') // the settings allow it on this computer only
    const execute = [openid.enableNonRepudiationChecks, ...(isHere ? [openid.allowInsecureRequests] : [])]
    const options = { timeout: this.#timing.seconds, execute, [openid.customFetch]: boundedFetch }
    const [inBody, inHeader] = [openid.ClientSecretPost(clientSecret), openid.ClientSecretBasic(clientSecret)]
    return openid.discovery(new URL(issuer), clientId, undefined, eitherWay(inBody, inHeader), options)
  }
}

/** How much the provider's clock may differ. */
const SKEW_SECONDS = 60

/**
 * Sends the secret in the way that the provider accepts. Without information about it, uses the header, as the standard
 * says.
 */
function eitherWay(inBody: ClientAuth, inHeader: ClientAuth): ClientAuth {
  return (server, ...rest) =>
    (server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? inBody : inHeader)(
      server,
      ...rest,
    )
}

/** The values that the provider must send back. They are made from the secret in the browser's cookie, so none is stored. */
export function secretsOf(secret: string): { state: string; nonce: string; verifier: string } {
  const of = (what: string) => createHmac('sha256', secret).update(what).digest('base64url')
  return { state: of('state'), nonce: of('nonce'), verifier: of('verifier') }
}

/** Keeps only the issuer and subject of the claims. */
function identityIn(claims: IDToken | undefined): ProvenIdentity {
  if (!claims) throw new ProviderFault('invalid', 'no ID token')
  const { iss: issuer, sub: subject } = claims
  if (looksLikeCpr(subject)) throw new ProviderFault('cpr', 'the subject looks like a CPR number')
  if (issuer.length > 500 || !/^[!-~]{1,255}$/.test(subject))
    throw new ProviderFault('invalid', 'the subject is no printable text of at most 255 letters')
  return { issuer, subject }
}

const CALM: Record<string, Problem> = {
  access_denied: 'cancelled',
  user_cancelled: 'cancelled',
  temporarily_unavailable: 'unavailable',
  server_error: 'unavailable',
}

function faultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error
  const said = errorSaid(error)
  if (said !== null) {
    const code = said.slice(0, 100)
    return new ProviderFault(CALM[code] ?? 'invalid', `the provider answers the error ${code}`)
  }
  if (isUnreachable(error)) return new ProviderFault('unavailable', reasonOf(error))
  return new ProviderFault('invalid', reasonOf(error))
}

/** Returns the error with which the provider sent the browser back, if any. */
function errorSaid(error: unknown): string | null {
  const { code, error: said } = error as { code?: unknown; error?: unknown }
  return code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' && typeof said === 'string' ? said : null
}

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isLate = error.name === 'TimeoutError' || error.name === 'AbortError'
  return error instanceof Unreachable || isLate || isUnreachable(error.cause)
}

/** The library's own words and codes. Its causes hold claims, and a parser quotes what it could not read. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code, cause, message } = error as Error & { code?: unknown }
  const why = cause instanceof Error && cause.name !== 'SyntaxError' ? `: ${cause.message}` : ''
  return `${typeof code === 'string' ? `${code} ` : ''}${message}${why}`.slice(0, 300)
}
