import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

type Options = {
  https: boolean
  development: boolean
  /** Other servers that pages may send to: `https://bucket.example`. */
  sendsTo?: string | undefined
}

/** Lets only our own files run or be shown, and forbids framing. */
export async function addSecurityHeaders(
  app: FastifyInstance,
  { https, development, sendsTo }: Options,
): Promise<void> {
  const self = [`'self'`]
  await app.register(fastifyHelmet, {
    // The build has no inline script; Vite's needs a nonce.
    enableCSPNonces: development,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: [`'none'`],
        scriptSrc: self,
        // In development, styles come through scripts.
        styleSrc: development ? [`'self'`, `'unsafe-inline'`] : self,
        fontSrc: self,
        imgSrc: [`'self'`, 'data:', 'blob:'],
        connectSrc: [`'self'`, ...(development ? ['ws:'] : []), ...(sendsTo ? [sendsTo] : [])],
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
}
