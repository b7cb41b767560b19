import type { FastifyInstance } from 'fastify'
import { notFound } from '../../server/http/errors.ts'
import { readSigned, sign } from '../../server/http/signed.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { changeMailRate } from './profile.db.ts'

const ABOUT = 'stop-mails'

/** Returns the address that ends a person's mails about new files, for the header of those mails. */
export const stopMailsUrl = (secret: Buffer, userId: number) =>
  urls.stopMails(sign(secret, String(userId), ABOUT))

type Address = { Params: { token: string } }

/**
 * Adds the address that mail programs post to when a person ends a list of mails (RFC 8058). They have no session and no
 * token of a form: the signed address is the proof. A program that only follows links changes nothing.
 */
export function addStopMails(app: FastifyInstance, { db, secret }: Parts): void {
  const config = { right: 'visit', takesPostsOfMachines: true } as const

  app.get<Address>(urls.stopMails(':token'), { config }, (_request, reply) =>
    reply.redirect(urls.profile, 303),
  )

  app.post<Address>(urls.stopMails(':token'), { config }, async (request, reply) => {
    const person = readSigned(secret, request.params.token, ABOUT)
    const actor = { userId: Number(person), address: request.ip }
    if (!/^\d{1,15}$/.test(person ?? '') || !(await changeMailRate(db, actor, Number(person), 'never')))
      throw notFound('Linket virker ikke. Vælg under Min profil, hvor ofte du får mails.')
    return reply.type('text/plain; charset=utf-8').send('Du får ikke flere mails om nye filer.')
  })
}
