import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../test/neighbours/free-port.ts'
import {
  sendJson,
  startHostileProvider,
  type Claims,
  type Lies,
} from '../../../test/neighbours/hostile-provider.ts'
import { ProviderFault, Providers, secretsOf, type Timing } from './providers.server.ts'

const SECRET = 'a'.repeat(43)

let hostile: Awaited<ReturnType<typeof startHostileProvider>>
beforeEach(async () => {
  hostile = await startHostileProvider()
  hostile.nonce = secretsOf(SECRET).nonce
})

const providerAt = (issuer: string) => ({
  key: 'mitid',
  name: 'MitID',
  button: 'Log ind med MitID',
  issuer,
  clientId: 'ringbind',
  clientSecret: 'hemmelig',
  acrValues: null,
  acr: null,
})

/** The provider as we know it. */
const meet = (timing: Partial<Timing> = {}, issuer = hostile.issuer, acr: string[] | null = null) => {
  const provider = { ...providerAt(issuer), acr }
  const providers = new Providers({ providers: [provider], appUrl: 'https://kontor.example' }, timing)
  return {
    begin: () => providers.begin(provider, SECRET),
    finish: (query = answer()) => providers.finish(provider, query, SECRET),
  }
}

const answer = (more: Record<string, string> = {}) =>
  `?${new URLSearchParams({ code: 'kode', state: secretsOf(SECRET).state, iss: hostile.issuer, ...more }).toString()}`

async function problemOf(attempt: Promise<unknown>): Promise<[string, string]> {
  const fault = await attempt.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(fault instanceof ProviderFault)) throw new Error('There was no fault.', { cause: fault })
  return [fault.problem, fault.message]
}

describe('going to a provider', () => {
  it('asks the provider for nothing but the subject, with a state, a nonce and PKCE', async () => {
    const { origin, pathname, searchParams } = new URL(await meet().begin())
    expect(origin + pathname).toBe(`${hostile.issuer}/authorize`)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'ringbind',
      response_type: 'code',
      redirect_uri: 'https://kontor.example/login/with/mitid/answer',
      scope: 'openid',
      state: secretsOf(SECRET).state,
      nonce: secretsOf(SECRET).nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    })
  })

  it('fetches the provider’s metadata once, however many people sign in at the same time', async () => {
    const { begin } = meet()
    await Promise.all([begin(), begin(), begin()])
    await begin()
    expect(hostile.asked).toEqual({ discovery: 1, keys: 0, token: 0 })
  })

  const bodyOf = (bytes: number) => (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"issuer":"')
    const more = () => {
      // Stops with the reader, whatever is left to send.
      for (let sent = 0; sent < bytes; sent += 65_536) if (!response.write('x'.repeat(65_536))) break
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  }

  it.each<[what: string, problem: string, lies: Lies]>([
    [
      'names another issuer',
      'invalid',
      { metadata: (honest) => ({ ...honest, issuer: 'https://anden.example' }) },
    ],
    [
      'leads to a script',
      'invalid',
      { metadata: (honest) => ({ ...honest, authorization_endpoint: 'javascript:alert(1)' }) },
    ],
    ['leads nowhere', 'invalid', { metadata: ({ authorization_endpoint: _gone, ...honest }) => honest }],
    ['talks without end', 'invalid', { answer: { discovery: bodyOf(2_000_000) } }],
    ['sends no JSON', 'invalid', { answer: { discovery: (response) => void response.end('<html>') } }],
    [
      'sends half of it',
      'unavailable',
      {
        answer: {
          discovery: (response) => {
            response
              .writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
              .write('{')
            setImmediate(() => response.destroy())
          },
        },
      },
    ],
    [
      'sends people on',
      'invalid',
      {
        answer: {
          discovery: (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1' }).end(),
        },
      },
    ],
    ['is broken', 'unavailable', { answer: { discovery: (response) => sendJson(response, {}, 503) } }],
    ['hangs up', 'unavailable', { answer: { discovery: (response) => void response.destroy() } }],
    ['says nothing', 'unavailable', { answer: { discovery: () => undefined } }],
  ])('does not trust a provider that %s', async (_what, problem, lies) => {
    hostile.lies = lies
    expect((await problemOf(meet({ seconds: 1 }).begin()))[0]).toBe(problem)
  })

  it('reports a provider that does not exist as unavailable', async () => {
    const { begin } = meet({}, `http://127.0.0.1:${await freePort()}`)
    expect((await problemOf(begin()))[0]).toBe('unavailable')
  })

  it('pauses before it asks a silent provider again', async () => {
    hostile.lies = { answer: { discovery: (response) => sendJson(response, {}, 500) } }
    const resting = meet({ restMs: 600_000 })
    await problemOf(resting.begin())
    expect((await problemOf(resting.begin()))[0]).toBe('unavailable')
    expect(hostile.asked.discovery).toBe(1)
    const eager = meet({ restMs: 0 })
    await problemOf(eager.begin())
    hostile.lies = {}
    expect(await eager.begin()).toContain('/authorize?')
  })

  it('uses the metadata fetched before while the provider is silent', async () => {
    const { begin } = meet({ keepMs: 0 })
    await begin()
    hostile.lies = { answer: { discovery: (response) => sendJson(response, {}, 500) } }
    expect(await begin()).toContain('/authorize?')
    expect(hostile.asked.discovery).toBe(2)
  })
})

describe('the answer of a provider', () => {
  it('returns the issuer and subject, and sends the verifier and secret', async () => {
    expect(await meet().finish()).toEqual({ issuer: hostile.issuer, subject: 'nogen' })
    expect(hostile.form.get('code_verifier')).toBe(secretsOf(SECRET).verifier)
    expect(hostile.form.get('client_secret')).toBe('hemmelig')
  })

  it('ignores all other claims', async () => {
    hostile.lies = {
      claims: (honest) => ({ ...honest, cpr: '010190-1234', name: 'Nogen', email: 'n@example.dk' }),
    }
    expect(await meet().finish()).toEqual({ issuer: hostile.issuer, subject: 'nogen' })
  })

  it.each([
    ['one of those that are strong enough', ['a', 'b'], 'b', 'nogen'],
    ['another', ['a', 'b'], 'c', 'weak'],
    ['none', ['a', 'b'], undefined, 'weak'],
    ['anything, if none is wanted', null, 'c', 'nogen'],
  ])('checks an acr that is %s', async (_what, acr, said, expected) => {
    hostile.lies = { claims: (honest) => ({ ...honest, acr: said }) }
    const signedIn = meet({}, hostile.issuer, acr).finish()
    expect(expected === 'weak' ? (await problemOf(signedIn))[0] : (await signedIn).subject).toBe(expected)
  })

  it('sends the secret in the header if the provider accepts it nowhere else', async () => {
    hostile.lies = { metadata: ({ token_endpoint_auth_methods_supported: _gone, ...honest }) => honest }
    await meet().finish()
    expect(hostile.form.has('client_secret')).toBe(false)
  })

  const past = (honest: Claims) => ({ ...honest, iat: 1_000_000_000, exp: 1_000_000_060 })

  it.each<[what: string, lies: Lies]>([
    ['is signed by nobody', { sign: 'none' }],
    [
      'is signed by nobody, as it says it does',
      {
        sign: 'none',
        metadata: (honest) => ({ ...honest, id_token_signing_alg_values_supported: ['none'] }),
      },
    ],
    ['is signed by a stranger', { sign: 'stranger' }],
    ['was changed on its way', { sign: 'broken' }],
    [
      'is signed with the public key as a secret',
      {
        sign: 'secret',
        metadata: (honest) => ({ ...honest, id_token_signing_alg_values_supported: ['HS256', 'RS256'] }),
      },
    ],
    ['is about another office', { claims: (honest) => ({ ...honest, aud: 'et-andet-kontor' }) }],
    [
      'is about several offices, for another',
      { claims: (honest) => ({ ...honest, aud: ['ringbind', 'andre'], azp: 'andre' }) },
    ],
    ['is another issuer’s', { claims: (honest) => ({ ...honest, iss: 'https://anden.example' }) }],
    ['has another nonce', { claims: (honest) => ({ ...honest, nonce: 'gammel' }) }],
    ['has no nonce', { claims: ({ nonce: _gone, ...honest }) => honest }],
    ['has expired', { claims: past }],
    ['never expires', { claims: ({ exp: _gone, ...honest }) => honest }],
    ['names nobody', { claims: ({ sub: _gone, ...honest }) => honest }],
    ['names an empty subject', { claims: (honest) => ({ ...honest, sub: '' }) }],
    ['names a list', { claims: (honest) => ({ ...honest, sub: ['nogen'] }) }],
    ['names somebody at length', { claims: (honest) => ({ ...honest, sub: 'x'.repeat(256) }) }],
    ['names somebody with a line break', { claims: (honest) => ({ ...honest, sub: 'a\nb' }) }],
    ['has no ID token', { isWithoutToken: true }],
    ['is an error', { answer: { token: (response) => sendJson(response, { error: 'invalid_grant' }, 400) } }],
    ['is a page', { answer: { token: (response) => void response.end('<html>') } }],
    [
      'is very long',
      { answer: { token: (response) => sendJson(response, { id_token: 'x'.repeat(600_000) }) } },
    ],
    ['has no keys', { answer: { keys: (response) => sendJson(response, { keys: [] }) } }],
  ])('refuses an answer if it %s', async (_what, lies) => {
    hostile.lies = lies
    expect((await problemOf(meet().finish()))[0]).toBe('invalid')
  })

  it.each(['0101901234', '010190-1234', '010190 1234', 'dk:cpr:0101901234', 'CPR-010190-1234'])(
    'refuses a CPR number as the subject: %s',
    async (subject) => {
      hostile.subject = subject
      const [problem, reason] = await problemOf(meet().finish())
      expect(problem).toBe('cpr')
      expect(reason).not.toMatch(/\d{4}/)
    },
  )

  it.each(['0a1b2c3d-1234-5678-9abc-def012345678', '{mitid}12345678901', '101123456789', 'AAAAABBBBB'])(
    'accepts a subject that is not a CPR number: %s',
    async (subject) => {
      hostile.subject = subject
      expect((await meet().finish()).subject).toBe(subject)
    },
  )

  it.each<[what: string, more: Record<string, string>, problem: string]>([
    ['another state', { state: 'x'.repeat(43) }, 'invalid'],
    ['another issuer', { iss: 'https://anden.example' }, 'invalid'],
    ['a cancelled sign-in', { error: 'access_denied' }, 'cancelled'],
    ['a provider in trouble', { error: 'server_error' }, 'unavailable'],
    ['any other error', { error: '<script>' }, 'invalid'],
  ])('recognizes %s in the answer', async (_what, more, problem) => {
    expect((await problemOf(meet().finish(answer(more))))[0]).toBe(problem)
  })

  it('the answer must name the issuer if the provider’s metadata says so', async () => {
    const query = answer().replace(/&iss=[^&]*/, '')
    expect((await problemOf(meet().finish(query)))[0]).toBe('invalid')
  })

  it.each<[what: string, lie: (response: ServerResponse) => void]>([
    ['breaks off', (response) => void response.destroy()],
    ['never comes', () => undefined],
    ['is an excuse', (response) => sendJson(response, {}, 502)],
  ])('the provider counts as unavailable if its answer %s', async (_what, lie) => {
    hostile.lies = { answer: { token: lie } }
    expect((await problemOf(meet({ seconds: 1 }).finish()))[0]).toBe('unavailable')
  })

  it('the logged reason has no claims', async () => {
    hostile.lies = { claims: (honest) => ({ ...honest, aud: 'et-andet-kontor', cpr: '010190-1234' }) }
    const [, reason] = await problemOf(meet().finish())
    expect(reason).not.toMatch(/010190|nogen/)
    hostile.lies = {
      answer: {
        token: (response) => {
          response.writeHead(200, { 'content-type': 'application/json' }).end('010190-1234')
        },
      },
    }
    expect((await problemOf(meet().finish()))[1]).not.toContain('010190')
  })
})
