import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isPhone } from '../base/contact.ts'
import { actorOf } from '../log/actor.routes.ts'
import { addLoneLogEntry } from '../log/log.db.ts'
import { editIn } from '../server/edits.ts'
import { conflict, notFound, tooMany } from '../server/http/errors.ts'
import { requireFreshProof } from '../server/http/fresh-proof.ts'
import { methodOf, receivesImage, takeImage } from '../server/http/forms/one-file.ts'
import { userOf, type SignedIn } from '../server/http/permit.ts'
import { submit, type Refused } from '../server/http/forms/submit.ts'
import { flag, optionalEmail, optionalLine, validate } from '../server/http/validate.ts'
import { wantsJson } from '../server/http/wants-json.ts'
import type { Parts } from '../server/parts.ts'
import { makeFitting } from '../server/storage/make-image.ts'
import { tryMail, type MailTrial } from '../server/try-mail.ts'
import { urls } from '../urls.ts'
import type { OfficeSign } from './office-sign.server.ts'
import {
  beginMailTrial,
  choose,
  findLogo,
  findMailPicture,
  findOffice,
  saveOffice,
  setLogo,
} from './office.db.ts'
import type { Office } from './office.ts'
import type { ReadingState } from './reading-state.ts'
import { testMail } from './test-mail.ts'

const MOST_LETTERS = 100
const text = (what: string) =>
  optionalLine(`${what} skal være en tekst.`, MOST_LETTERS, `${what} må højst være på ${MOST_LETTERS} tegn.`)

const RELOAD = 'Genindlæs siden, og prøv igen.'

/** A field that is left out keeps its value. */
const Form = z.object({
  name: text('Navnet').optional(),
  contact_person: text('Kontaktpersonen').optional(),
  phone: optionalLine('Telefonnummeret skal være en tekst.', 30, 'Telefonnummeret er for langt.')
    .refine((phone) => phone === '' || isPhone(phone), {
      error: 'Skriv et telefonnummer, for eksempel 33 12 34 56 eller +45 33 12 34 56.',
    })
    .optional(),
  email: optionalEmail.optional(),
})
/** A check box: a missing field means no. */
const ApprovalForm = z.object({
  needs_approval: z.literal('1', 'Vælg ja eller nej.').optional(),
  was: z.enum(['0', '1'], RELOAD).optional(),
})
const PlacingForm = z.object({ places_sure: flag, was: z.enum(['0', '1'], RELOAD) })
const LogoForm = z.object({ was: z.string().max(200).optional() })

/** Twice the largest size shown, for screens with two pixels per point. */
const LOGO_BOX = { width: 480, height: 160 }

type Shown = {
  refused?: Refused
  approvalRefused?: Refused
  placingRefused?: Refused
  wordsRefused?: Refused
  logoFaults?: string[]
  trial?: MailTrial
}

/** The office's own words that mean the same in a search. */
export type OwnWords = {
  find: () => Promise<string>
  /** Reads them from the form of a request. */
  save: (request: FastifyRequest) => Promise<void>
}

/** Functions of rooms above, which this room cannot import. */
type Above = {
  reading: (reader: SignedIn) => Promise<ReadingState>
  /** Returns where to read that it waits for a colleague, if it does. */
  setApproval: (request: FastifyRequest, isWanted: boolean) => Promise<{ redirect: string } | null>
  words: OwnWords
}

/** Adds the page where an administrator says who the office is, its logo, and the trial of the mail server. */
export function addOffice(
  app: FastifyInstance,
  { db, storage, config }: Parts,
  sign: OfficeSign,
  { reading, setApproval, words }: Above,
): void {
  const edit = { config: { right: 'editOffice' } } as const
  const receive = { ...receivesImage, config: { ...receivesImage.config, ...edit.config } } as const

  const show = async (request: FastifyRequest, reply: FastifyReply, more: Shown = {}) => {
    sign.forget() // so that this page's frame is right, whichever process the change came to
    const mail = {
      server: config.smtpUrl && new URL(config.smtpUrl).host,
      from: config.mailFrom,
    }
    const props = { office: await findOffice(db), mail, reading: await reading(userOf(request)) }
    return reply.page('office', { ...props, words: await words.find(), ...more }, 'Kontoret')
  }

  app.get(urls.office, edit, (request, reply) => show(request, reply))

  app.post(urls.office, edit, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        await saveOffice(db, actorOf(request), validate(Form, request.body), editIn(request.body))
        sign.forget()
        return urls.office
      },
      (refused) => show(request, reply, { refused }),
    ),
  )

  app.post(urls.officeApproval, edit, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const { needs_approval: box, was } = validate(ApprovalForm, request.body)
        requireFreshProof(request)
        if (was !== undefined && (was === '1') !== (await findOffice(db)).needsApproval)
          throw conflict('En anden har ændret det. Genindlæs siden for at se det.')
        return (await setApproval(request, box !== undefined)) ?? urls.office
      },
      (approvalRefused) => show(request, reply, { approvalRefused }),
    ),
  )

  app.post(urls.officePlacing, edit, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        const { places_sure: isWanted, was } = validate(PlacingForm, request.body)
        await choose(db, actorOf(request), 'places_sure', isWanted, was === '1')
        return urls.office
      },
      (placingRefused) => show(request, reply, { placingRefused }),
    ),
  )

  app.post(urls.officeWords, edit, (request, reply) =>
    submit(
      request,
      reply,
      async () => {
        await words.save(request)
        return urls.office
      },
      (wordsRefused) => show(request, reply, { wordsRefused }),
    ),
  )

  app.post(urls.officeLogo, receive, async (request, reply) => {
    if (wantsJson(request)) return reply.send({ image: await changeLogo(request) })
    const work = async () => {
      await changeLogo(request)
      return urls.office
    }
    return submit(request, reply, work, ({ errors, message }) =>
      show(request, reply, { logoFaults: errors.file ?? [message] }),
    )
  })

  async function changeLogo(request: FastifyRequest): Promise<Office['logo']> {
    const isRemoved = methodOf(request) === 'DELETE'
    const { was } = validate(LogoForm, request.body)
    const picture = isRemoved
      ? null
      : await takeImage(request, storage, (bytes, client) => makeFitting(bytes, LOGO_BOX, client))
    const logo = await setLogo(db, actorOf(request), picture, was)
    sign.forget()
    return logo
  }

  addLogo(app, db)

  app.post(urls.testMail, edit, async (request, reply) => {
    const trial = await tryServer(request)
    return wantsJson(request) ? reply.send({ trial }) : show(request, reply, { trial })
  })

  async function tryServer(request: FastifyRequest): Promise<MailTrial> {
    const { smtpUrl, mailFrom: from, appUrl } = config
    if (smtpUrl === null) throw conflict('Der er ikke sat en mailserver op (SMTP_URL).')
    const wait = await beginMailTrial(db)
    if (wait > 0)
      throw tooMany(
        wait,
        `Der er lige sendt en prøvemail. Prøv igen om ${wait === 1 ? '1 sekund' : `${wait} sekunder`}.`,
      )
    const mail = testMail(await findOffice(db), userOf(request), appUrl + urls.start)
    const trial = await tryMail(mail, { smtpUrl, from, findPicture: (name) => findMailPicture(db, name) })
    await addLoneLogEntry(db, actorOf(request), 'test-mail-sent', { detail: trial.kind })
    return trial
  }
}

/** Adds the logo itself, for everybody. */
function addLogo(app: FastifyInstance, db: Parts['db']): void {
  app.get<{ Params: { key: string } }>(
    urls.logo(':key'),
    { config: { right: 'visit' }, compress: false },
    async (request, reply) => {
      const { key } = request.params
      const bytes = /^[0-9a-f]{32}$/.test(key) && (await findLogo(db, key))
      if (!bytes) throw notFound()
      return reply
        .headers({
          'content-type': 'image/png',
          'content-security-policy': `default-src 'none'; frame-ancestors 'none'`,
          'x-content-type-options': 'nosniff',
          // Other bytes have another key, so an address never changes its content.
          'cache-control': 'public, max-age=31536000, immutable',
        })
        .send(bytes)
    },
  )
}
