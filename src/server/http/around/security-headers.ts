import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

type Options = {
  https: boolean
  development: boolean
  /** Other servers that pages may send to: `https://bucket.example`. */
  sendsTo?: string | undefined
}

declare module 'fastify' {
  interface FastifyReply {
    /** Lets the page's own scripts run while developing; null otherwise, because the build has no inline script. */
    scriptNonce: string | null
  }
}

/** Lets only our own files run or be shown, and forbids framing. */
export function addSecurityHeaders(app: FastifyInstance, options: Options): void {
  app.decorateReply('scriptNonce', null)
  // Set on Node's own response, so that they stay whatever happens to Fastify's reply.
  if (!options.development) {
    const headers = securityHeaders(options)
    app.addHook('onRequest', (_request, reply, done) => {
      for (const [name, value] of headers) reply.raw.setHeader(name, value)
      done()
    })
    return
  }
  app.addHook('onRequest', (_request, reply, done) => {
    const nonces = { script: randomBytes(16).toString('hex'), style: randomBytes(16).toString('hex') }
    reply.scriptNonce = nonces.script
    for (const [name, value] of securityHeaders(options, nonces)) reply.raw.setHeader(name, value)
    done()
  })
}

type Nonces = { script: string; style: string }

/** The headers of every answer, as helmet sends them. Made once: helmet makes them for each request. */
function securityHeaders(options: Options, nonces?: Nonces): [name: string, value: string][] {
  return [
    ['Content-Security-Policy', policyOf(options, nonces)],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Origin-Agent-Cluster', '?1'],
    ['Referrer-Policy', 'same-origin'],
    ...(options.https ? ([['Strict-Transport-Security', 'max-age=31536000']] as [string, string][]) : []),
    ['X-Content-Type-Options', 'nosniff'],
    ['X-DNS-Prefetch-Control', 'off'],
    ['X-Download-Options', 'noopen'],
    ['X-Frame-Options', 'DENY'],
    ['X-Permitted-Cross-Domain-Policies', 'none'],
    ['X-XSS-Protection', '0'],
  ]
}

function policyOf({ https, development, sendsTo }: Options, nonces?: Nonces): string {
  const withNonce = (nonce?: string) => (nonce ? [`'nonce-${nonce}'`] : [])
  const directives: Record<string, string[]> = {
    'default-src': [`'none'`],
    'script-src': [`'self'`, ...withNonce(nonces?.script)],
    // In development, styles come through scripts.
    'style-src': [`'self'`, ...(development ? [`'unsafe-inline'`] : []), ...withNonce(nonces?.style)],
    'font-src': [`'self'`],
    'img-src': [`'self'`, 'data:', 'blob:'],
    'connect-src': [`'self'`, ...(development ? ['ws:'] : []), ...(sendsTo ? [sendsTo] : [])],
    // Stored files in the panel beside the list. Their own policy lets nothing run in them.
    'frame-src': [`'self'`],
    'manifest-src': [`'self'`],
    'form-action': [`'self'`],
    'base-uri': [`'none'`],
    'frame-ancestors': [`'none'`],
    ...(https && { 'upgrade-insecure-requests': [] }),
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join(';')
}
