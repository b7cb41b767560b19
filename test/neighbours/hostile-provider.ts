import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterwards } from '../clean-up.ts'

export type Claims = Record<string, unknown>

/** The lies that a test may ask for. */
export type Lies = {
  /** Changes its metadata. */
  metadata?: (honest: Record<string, unknown>) => Record<string, unknown>
  /** Answers one of its addresses in another way. */
  answer?: Partial<Record<'discovery' | 'keys' | 'token', (response: ServerResponse) => void>>
  /** Changes the claims of the ID token. */
  claims?: (honest: Claims) => Claims
  /** Signs the ID token in another way. */
  sign?: 'none' | 'stranger' | 'secret' | 'broken'
  /** Leaves the ID token out. */
  isWithoutToken?: boolean
}

const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A provider that lies on request, for `client_id` ringbind. Every code is right. */
export async function startHostileProvider() {
  const state = {
    lies: {} as Lies,
    /** The subject of the next ID token. */
    subject: 'nogen',
    nonce: '',
    /** How often each address was asked. */
    asked: { discovery: 0, keys: 0, token: 0 },
    /** The form that the last code came in. */
    form: new URLSearchParams(),
  }
  const server = createServer((request, response) => {
    const place = ({ '/keys': 'keys', '/token': 'token' } as const)[request.url ?? ''] ?? 'discovery'
    state.asked[place]++
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      if (place === 'token') state.form = new URLSearchParams(body)
      const lie = state.lies.answer?.[place]
      if (lie) return lie(response)
      return sendJson(response, honest[place]())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const honest = {
    discovery: () => {
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        authorization_response_iss_parameter_supported: true,
      }
      return state.lies.metadata?.(metadata) ?? metadata
    },
    keys: () => ({
      keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }],
    }),
    token: () => ({
      access_token: 'x',
      token_type: 'bearer',
      ...(!state.lies.isWithoutToken && { id_token: idToken() }),
    }),
  }

  function idToken(): string {
    const now = Math.floor(Date.now() / 1000)
    const right = {
      iss: issuer,
      sub: state.subject,
      aud: 'ringbind',
      nonce: state.nonce,
      iat: now,
      exp: now + 60,
    }
    const { sign } = state.lies
    const alg = sign === 'none' ? 'none' : sign === 'secret' ? 'HS256' : 'RS256'
    const text = [{ alg, kid: 'own' }, state.lies.claims?.(right) ?? right].map(encoded).join('.')
    return `${text}.${signatureOf(text, sign)}`
  }

  afterwards(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return Object.assign(state, { issuer })
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signatureOf(text: string, sign: Lies['sign']): string {
  if (sign === 'none') return ''
  // The secret of the client, or a public key taken for one.
  if (sign === 'secret')
    return createHmac('sha256', own.publicKey.export({ type: 'spki', format: 'pem' }))
      .update(text)
      .digest('base64url')
  const { privateKey } = sign === 'stranger' ? stranger : own
  const signature = createSign('sha256').update(text).sign(privateKey)
  if (sign === 'broken') signature[10]! ^= 1
  return signature.toString('base64url')
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
