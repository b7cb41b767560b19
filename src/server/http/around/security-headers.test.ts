import type { ClientRequest, ServerResponse } from 'node:http'
import fastifyHelmet from '@fastify/helmet'
import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { addSecurityHeaders } from './security-headers.ts'

const self = [`'self'`]
const pages = { url: '/page', handler: async () => 'hello' }

/** Answers with the headers that helmet makes of the same rules. */
async function helmetHeaders(https: boolean, development: boolean, sendsTo?: string) {
  const app = fastify()
  await app.register(fastifyHelmet, {
    enableCSPNonces: development,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: [`'none'`],
        scriptSrc: self,
        styleSrc: development ? [`'self'`, `'unsafe-inline'`] : self,
        fontSrc: self,
        imgSrc: [`'self'`, 'data:', 'blob:'],
        connectSrc: [`'self'`, ...(development ? ['ws:'] : []), ...(sendsTo ? [sendsTo] : [])],
        frameSrc: self,
        manifestSrc: self,
        formAction: self,
        baseUri: [`'none'`],
        frameAncestors: [`'none'`],
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  })
  app.route({ method: 'GET', ...pages })
  return headersAsSent(app)
}

async function ourHeaders(https: boolean, development: boolean, sendsTo?: string) {
  const app = fastify()
  addSecurityHeaders(app, { https, development, sendsTo })
  app.route({ method: 'GET', ...pages })
  return headersAsSent(app)
}

/** All lines of the answer's head in their order, with the nonces and the time taken out. */
async function headersAsSent(app: ReturnType<typeof fastify>): Promise<string[]> {
  try {
    const { raw } = await app.inject('/page')
    const sent = raw.res as ServerResponse & Pick<ClientRequest, 'getRawHeaderNames'> // Node's types lack it
    return sent
      .getRawHeaderNames()
      .map((name) =>
        `${name}: ${String(sent.getHeader(name))}`
          .replaceAll(/'nonce-[0-9a-f]{32}'/g, `'nonce-…'`)
          .replace(/^date: .*/i, 'date'),
      )
  } finally {
    await app.close()
  }
}

it.each<[boolean, boolean, string | undefined]>([
  [true, false, undefined],
  [false, false, undefined],
  [true, false, 'https://bucket.example'],
  [false, true, undefined],
])(
  'sends the same headers as helmet, byte for byte (https %s, development %s, sends to %s)',
  async (...options) => {
    const ours = await ourHeaders(...options)
    expect(ours).toEqual(await helmetHeaders(...options))
    expect(ours.length).toBeGreaterThan(10)
  },
)

it('gives each page its own nonce while developing', async () => {
  const app = fastify()
  addSecurityHeaders(app, { https: false, development: true })
  app.get('/page', async (_request, reply) => reply.scriptNonce)
  const answers = [await app.inject('/page'), await app.inject('/page')]
  for (const { body, headers } of answers)
    expect(headers['content-security-policy']).toContain(`script-src 'self' 'nonce-${body}'`)
  expect(answers[0]!.body).not.toBe(answers[1]!.body)
  await app.close()
})
