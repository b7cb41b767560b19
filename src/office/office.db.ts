import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Edit, FieldWords } from '../server/edits.ts'
import { addLogEntry, renamed, type Actor } from '../log/log.db.ts'
import { isOffice, rolesThat, seesSharedFoldersOnly, type Role } from '../rights.ts'
import { transactional, type Database, type Trx } from '../server/database/database.ts'
import { settle } from '../server/edits.ts'
import { prepare } from '../server/database/prepared.ts'
import { conflict, invalid } from '../server/http/errors.ts'
import { urls } from '../urls.ts'
import { LOGO_IN_MAIL, NO_OFFICE, type EditedOffice, type Office } from './office.ts'

const SHOWN = [
  'name',
  'contact_person',
  'phone',
  'email',
  'version',
  'logo_key',
  'logo_width',
  'logo_height',
  'needs_approval',
  'places_sure',
] as const

export async function findOffice(db: Database | Trx): Promise<EditedOffice> {
  const row = await db.selectFrom('office').select(SHOWN).executeTakeFirst()
  if (!row) return { ...NO_OFFICE, needsApproval: false, placesSure: false }
  const { name, contact_person: contactPerson, phone, email } = row
  const { needs_approval: isWanted, places_sure: placesSure } = row
  return { name, contactPerson, phone, email, logo: logoOf(row), needsApproval: isWanted, placesSure }
}

type LogoColumns = { logo_key: string | null; logo_width: number | null; logo_height: number | null }

function logoOf({ logo_key: key, logo_width: width, logo_height: height }: LogoColumns): Office['logo'] {
  return key === null ? null : { address: urls.logo(key), width: width!, height: height! }
}

/** The fields that a form may change. A missing field keeps its value. */
type OfficeFields = Partial<Record<'name' | 'contact_person' | 'phone' | 'email', string | undefined>>

const OFFICE_WORDS: FieldWords<Record<keyof OfficeFields, string>> = {
  name: 'Navn',
  contact_person: 'Kontaktperson',
  phone: 'Telefon',
  email: 'E-mail',
}

/**
 * Saves and logs the fields that differ. If somebody else has changed the same field meanwhile, refuses with both
 * values.
 */
export const saveOffice = transactional(
  async (trx: Trx, actor: Actor, sent: OfficeFields, edit: Edit | null): Promise<void> => {
    const now = await lockOffice(trx)
    const { name, contact_person, phone, email } = now
    const fields = settle(edit, OFFICE_WORDS, sent, { name, contact_person, phone, email })
    const changes = Object.entries(fields).filter(
      ([field, text]) => text !== now[field as keyof OfficeFields],
    )
    if (changes.length === 0) return
    await trx
      .updateTable('office')
      .set({ ...Object.fromEntries(changes), version: now.version + 1, saved_by: actor.userId })
      .execute()
    await addLogEntry(trx, actor, 'office-changed', {
      detail: changes.map(([field]) => field).join(),
      names: renamed(now.name, fields.name),
    })
  },
)

/** Returns the office's row, which is made when it is first needed, and locks it. */
export async function lockOffice(trx: Trx) {
  await sql`insert into office default values on conflict do nothing`.execute(trx)
  return trx.selectFrom('office').select(SHOWN).forUpdate().executeTakeFirstOrThrow()
}

type Picture = { bytes: Buffer; width: number; height: number }

/**
 * Replaces the logo, or removes it with null. `was` is the address of the logo that the page showed, '' for none:
 * refuses to replace another one.
 */
export const setLogo = transactional(
  async (
    trx: Trx,
    actor: Actor,
    picture: Picture | null,
    was: string | undefined,
  ): Promise<Office['logo']> => {
    const now = logoOf(await lockOffice(trx))
    if (was !== undefined && was !== (now?.address ?? ''))
      throw conflict('En anden har ændret logoet. Genindlæs siden for at se det.')
    const columns = logoColumns(picture)
    const logo = logoOf(columns)
    if (logo?.address === now?.address) return logo
    await trx.updateTable('office').set(columns).execute()
    await addLogEntry(trx, actor, picture ? 'office-logo-changed' : 'office-logo-removed')
    return logo
  },
)

function logoColumns(picture: Picture | null) {
  if (picture === null) return { logo: null, logo_key: null, logo_width: null, logo_height: null }
  const { bytes, width, height } = picture
  const key = hash('sha256', bytes).slice(0, 32)
  return { logo: bytes, logo_key: key, logo_width: width, logo_height: height }
}

/** Returns null if the office has another logo by now. */
export async function findLogo(db: Database, key: string): Promise<Buffer | null> {
  const row = await db.selectFrom('office').select('logo').where('logo_key', '=', key).executeTakeFirst()
  return row?.logo ?? null
}

/** Finds the pictures that mails show, by their name in the mail. */
export async function findMailPicture(db: Database, name: string): Promise<Buffer | null> {
  if (name !== LOGO_IN_MAIL) return null
  return (await db.selectFrom('office').select('logo').executeTakeFirst())?.logo ?? null
}

/** Condition on users: they can sign in and approve what others publish. */
export const CAN_APPROVE = sql<boolean>`(users.role = any (${rolesThat(isOffice)})
  and users.deactivated_at is null and has_way_in(users))`

export async function needsApproval(db: Database | Trx): Promise<boolean> {
  const [row] = await findWish(db, {})
  return row?.needs_approval ?? false
}

const findWish = prepare<object, { needs_approval: boolean }>(() => sql`select needs_approval from office`)

/** The same, and somebody else can approve. A single person may turn approval off. */
export async function needsTwo(db: Database | Trx): Promise<boolean> {
  if (!(await needsApproval(db))) return false
  const { rows } = await sql<{ many: number }>`
    select count(*)::integer as many from users where ${CAN_APPROVE}`.execute(db)
  return rows[0]!.many > 1
}

/** Chooses whether a colleague has to approve what lets more people see something. */
export const setApproval = transactional(async (trx: Trx, actor: Actor, isWanted: boolean): Promise<void> => {
  const { needs_approval: now } = await lockOffice(trx)
  if (now === isWanted) return
  const { rows } = await sql<{ many: number }>`
      select count(*)::integer as many from users where ${CAN_APPROVE}`.execute(trx)
  if (isWanted && rows[0]!.many < 2)
    throw invalid({
      needs_approval: [
        'Der skal være mindst to administratorer eller medarbejdere, som har været logget ind. Inviter en kollega først.',
      ],
    })
  await trx.updateTable('office').set({ needs_approval: isWanted }).execute()
  await addLogEntry(trx, actor, 'approval-changed', { detail: isWanted ? 'on' : 'off' })
})

/** The choices of the office that anybody who edits it makes alone, each with its act in the log. */
const CHOICES = {
  /** Investors and advisers may make API keys. */
  outside_tokens: 'outside-tokens-changed',
  /** Papers that say for certain where they belong are put there without a press. */
  places_sure: 'sure-papers-changed',
} as const
type Choice = keyof typeof CHOICES

export async function hasChosen(db: Database | Trx, choice: Choice): Promise<boolean> {
  const row = await db.selectFrom('office').select(choice).executeTakeFirst()
  return row?.[choice] ?? false
}

/** Makes a choice. `was` is what the page showed. */
export const choose = transactional(
  async (trx: Trx, actor: Actor, choice: Choice, isWanted: boolean, was: boolean): Promise<void> => {
    await lockOffice(trx)
    const now = await hasChosen(trx, choice)
    if (now === isWanted) return
    if (now !== was) throw conflict('En anden har ændret det. Genindlæs siden for at se det.')
    await trx
      .updateTable('office')
      .set({ [choice]: isWanted })
      .execute()
    await addLogEntry(trx, actor, CHOICES[choice], { detail: isWanted ? 'on' : 'off' })
  },
)

/** Whether people of a role may make API keys: those outside the office if it has chosen so. */
export const mayMakeTokens = async (db: Database | Trx, role: Role): Promise<boolean> =>
  !seesSharedFoldersOnly(role) || hasChosen(db, 'outside_tokens')

/** How long after one try of the mail server the next may come. */
const SECONDS_BETWEEN_TRIES = 30

/** Returns how many seconds to wait before the mail server may be tried. 0 means now, and counts as a try. */
export const beginMailTrial = transactional(async (trx: Trx): Promise<number> => {
  await lockOffice(trx)
  const { rows } = await sql<{ wait: number }>`
    select greatest(0, ceil(extract(epoch from
      mail_tried_at + make_interval(secs => ${SECONDS_BETWEEN_TRIES}) - now())))::integer as wait
    from office`.execute(trx)
  const wait = Math.min(rows[0]?.wait ?? 0, SECONDS_BETWEEN_TRIES) // the clock may have gone back
  if (wait === 0)
    await trx
      .updateTable('office')
      .set({ mail_tried_at: sql`now()` })
      .execute()
  return wait
})
