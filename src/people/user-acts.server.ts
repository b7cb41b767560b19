import { z } from 'zod'
import type { GatedAct } from '../access/gate.ts'
import { scopeText } from '../access/lent.ts'
import { deactivateUser, reactivateUser, resetFactors } from '../accounts/change-user.db.ts'
import { factorMail } from '../accounts/factor/factor-mail.ts'
import { unlinkIdentity } from '../accounts/oidc/identities.db.ts'
import { USER_FIELDS } from '../accounts/users/user.fields.ts'
import { findAccount, findUserName } from '../accounts/users/users.db.ts'
import { findOffice } from '../office/office.db.ts'
import { ROLE_NAMES, ROLES } from '../rights.ts'
import { STORED_EDIT } from '../server/edits.ts'
import type { Trx } from '../server/database/database.ts'
import { answerSchemas, editSchemas } from '../server/fields.ts'
import { urls } from '../urls.ts'
import { describeChange, isLonger, isOfOffice, nameAdviser, nameProjects } from './describe-user.db.ts'
import { saveNewUser, saveUser } from './edit-user.db.ts'
import { changeLending, lendAccess, type Lent } from './lend/lend.db.ts'

const id = z.int().positive()
const values = answerSchemas(USER_FIELDS)
const Fields = z.strictObject({ ...editSchemas(USER_FIELDS, values), role: values.role })
const Projects = z.strictObject({ add: z.array(id), remove: z.array(id), addByNumber: z.string() })

type Saved = { id: number; invitation: string | null }

const nameUser = async (trx: Trx, user: number) => (await findUserName(trx, user)) ?? 'en person'

const NewUser = z.strictObject({ fields: Fields, projects: Projects, isInvited: z.boolean() })

/** Adds a person with their projects. */
export const ADD_USER_ACT: GatedAct<z.infer<typeof NewUser>, Saved> = {
  kind: 'add-user',
  right: 'editUsers',
  params: NewUser,
  scope: (_trx, _params, added) => (added ? { people: [added.id] } : {}),
  run: (db, parts, { actor }, { fields, projects, isInvited }) =>
    saveNewUser(db, parts, actor, fields, projects, isInvited),
  describe: async (trx, { fields: { name, email, role }, projects }) =>
    `Opret ${name} (${email}) som ${ROLE_NAMES[role].toLowerCase()}${await nameProjects(trx, ' i ', projects)}`,
}

const ChangedUser = z.strictObject({
  user: id,
  isWaiting: z.boolean(),
  fields: Fields,
  edit: STORED_EDIT,
  projects: Projects,
})

/** Changes a person, their role and their projects. */
export const SAVE_USER_ACT: GatedAct<z.infer<typeof ChangedUser>, Saved> = {
  kind: 'save-user',
  right: 'editUsers',
  params: ChangedUser,
  scope: (_trx, { user }) => ({ people: [user] }),
  run: (db, parts, { actor }, { user, isWaiting, fields, edit, projects }) =>
    saveUser(db, parts, actor, { id: user, isWaiting }, fields, edit, projects),
  describe: (trx, { user, fields, projects, edit }) => describeChange(trx, user, fields, projects, edit),
}

const OneUser = z.strictObject({ user: id })

/** Lets a person in again, who then sees what they saw before. */
export const REACTIVATE_ACT: GatedAct<z.infer<typeof OneUser>, void> = {
  kind: 'reactivate-user',
  right: 'editUsers',
  params: OneUser,
  scope: (_trx, { user }) => ({ people: [user] }),
  run: (db, _parts, { actor }, { user }) => reactivateUser(db, actor, user),
  describe: async (trx, { user }) => `Genaktiver ${await nameUser(trx, user)}`,
}

/** Keeps a person out. It shows nothing, but may take the last colleague away who can approve. */
export const DEACTIVATE_ACT: GatedAct<z.infer<typeof OneUser>, void> = {
  kind: 'deactivate-user',
  right: 'editUsers',
  params: OneUser,
  scope: () => ({}),
  run: (db, _parts, { actor }, { user }) => deactivateUser(db, actor, user),
  describe: async (trx, { user }) => `Deaktiver ${await nameUser(trx, user)}`,
}

const Factors = z.strictObject({ user: id, name: z.string(), email: z.string() })

/** Removes a person's second factor: without a password, they can no longer approve, and with one, it alone lets somebody in. */
export const RESET_FACTORS_ACT: GatedAct<z.infer<typeof Factors>, void> = {
  kind: 'reset-factors',
  right: 'editUsers',
  params: Factors,
  scope: () => ({}),
  // A person who also reads the colleague's mail could act as two.
  asksAlways: (trx, { user }) => isOfOffice(trx, user),
  run: async (db, { jobs, config }, { actor }, { user, ...to }) => {
    const mail = factorMail(await findOffice(db), to, 'reset', config.appUrl + urls.forgotPassword)
    await resetFactors(db, jobs, actor, user, mail)
  },
  describe: async (trx, { user }) => `Fjern det ekstra trin i login for ${await nameUser(trx, user)}`,
}

const Unlinked = z.strictObject({
  user: z.strictObject({ id, name: z.string(), email: z.string(), role: z.enum(ROLES) }),
  identity: id,
})

/** Removes a person's login at a provider, which may be their only way in. */
export const UNLINK_ACT: GatedAct<z.infer<typeof Unlinked>, void> = {
  kind: 'unlink-login',
  right: 'editUsers',
  params: Unlinked,
  scope: () => ({}),
  run: (db, { jobs, config }, { actor }, { user, identity }) =>
    unlinkIdentity(db, { jobs, appUrl: config.appUrl }, actor, user, identity, config.providers),
  describe: async (_trx, { user }) => `Fjern et tilknyttet login for ${user.name}`,
}

const Terms = z.strictObject({
  is_everything: z.boolean(),
  folder_names: z.array(z.string()),
  with_own_files: z.boolean(),
  gets_mails: z.boolean(),
  until: z.coerce.date().nullable(),
})

const Lending = z.strictObject({
  lender: id,
  person: z.strictObject({ name: z.string(), email: z.string() }),
  terms: Terms,
})

/** Lends what an investor sees, done by the office. An investor's own lending passes no gate: it is theirs. */
export const LEND_ACT: GatedAct<z.infer<typeof Lending>, Lent> = {
  kind: 'lend',
  right: 'editUsers',
  params: Lending,
  scope: async (trx, { lender, person }, lent) => {
    const known = lent?.adviserId ?? (await findAccount(trx, person.email))?.id
    return { people: known === undefined ? [lender] : [lender, known] }
  },
  run: (db, parts, { actor }, { lender, person, terms }) =>
    lendAccess(db, parts, actor, lender, person, terms),
  describe: async (trx, { lender, person, terms }) =>
    `Giv ${person.name} (${person.email}) adgang for ${await nameUser(trx, lender)}: ${scopeText(terms)}`,
}

const ChangedLending = z.strictObject({ lender: id, lending: id, terms: Terms, edit: STORED_EDIT })

export const CHANGE_LENDING_ACT: GatedAct<z.infer<typeof ChangedLending>, void> = {
  kind: 'change-lending',
  right: 'editUsers',
  params: ChangedLending,
  scope: (_trx, { lender }) => ({ people: [lender] }),
  // A longer time shows nothing more today, but later.
  asksAlways: (trx, { lending, terms }) => isLonger(trx, lending, terms.until),
  run: (db, parts, { actor }, { lender, lending, terms, edit }) =>
    changeLending(db, parts, actor, lender, lending, terms, edit),
  describe: async (trx, { lender, lending, terms }) =>
    `Ret, hvad ${await nameAdviser(trx, lending)} kan se for ${await nameUser(trx, lender)}: ${scopeText(terms)}${(await isLonger(trx, lending, terms.until)) ? ', i længere tid end nu' : ''}`,
}
