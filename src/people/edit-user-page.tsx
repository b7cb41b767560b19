import { USER_FIELDS } from '../accounts/users/user.fields.ts'
import { pickFields } from '../base/fields/field.ts'
import type { Project } from '../projects/project/project.ts'
import { ROLE_NAMES, ROLES } from '../rights.ts'
import { CheckField } from '../ui/form/check-field.tsx'
import { FieldInputs } from '../ui/form/field-inputs.tsx'
import { Form, type RefusedForm } from '../ui/form/form.tsx'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { urls } from '../urls.ts'
import { NO_MAIL } from './user/invitation-link.tsx'
import { promotionOf } from './promotion.ts'
import { ProjectsField } from './projects-field.tsx'
import type { UserDetails } from './user/user-details.ts'

type EditUserPageProps = {
  /** Null for a new person. */
  user: UserDetails | null
  projects: Project[]
  /** Whether there is a mail server. */
  sendsMail: boolean
  refused?: RefusedForm
}

const CRUMBS = [{ text: 'Personer', href: urls.users }]

const NEW = {
  shell: { title: 'Ny person', crumbs: CRUMBS },
  form: {
    action: urls.newUser,
    submit: 'Opret person',
    loadingText: 'Opretter…',
    doneText: 'Brugeren er oprettet.',
    was: undefined,
  },
  back: urls.users,
}

/** What is otherwise for a person who is there already. */
function editing(user: UserDetails) {
  const address = urls.user(user.id)
  return {
    shell: {
      title: 'Rediger person',
      crumbs: [...CRUMBS, { text: user.name, href: address }],
      above: user.name,
      aboveHref: address,
    },
    form: {
      action: urls.editUser(user.id),
      submit: 'Gem',
      loadingText: 'Gemmer…',
      doneText: 'Brugeren er gemt.',
      was: pickFields(USER_FIELDS, user),
    },
    back: address,
  }
}

export function EditUserPage({ user, projects, sendsMail, refused }: EditUserPageProps) {
  const { shell, form, back } = user ? editing(user) : NEW
  return (
    <Shell {...shell}>
      <div className="max-w-[640px] rounded-card border border-line bg-surface p-4 sm:p-6">
        <Form
          {...form}
          refused={refused}
          warnsBeforeLeaving
          beside={
            <LinkButton kind="secondary" href={back}>
              Annuller
            </LinkButton>
          }
          className="group grid gap-4"
        >
          <FieldInputs
            fields={user && !sendsMail ? withoutMail(user) : USER_FIELDS}
            values={user}
            after={{
              role: (
                <>
                  <ul className="-mt-2 text-meta text-muted">
                    {ROLES.map((role) => (
                      <li key={role} className={`hidden ${SHOWN_FOR[role]}`}>
                        {ABOUT[role]}
                      </li>
                    ))}
                  </ul>
                  {user && <Promotion user={user} />}
                </>
              ),
            }}
          />
          {projects.length > 0 && (
            <p className="hidden rounded-control bg-warn-soft px-3 py-2 text-warn group-has-[option[value=administrator]:checked]:block group-has-[option[value=adviser]:checked]:block group-has-[option[value=employee]:checked]:block">
              {user!.name} forlader{' '}
              {projects.length === 1 ? 'sit projekt' : `sine ${projects.length} projekter`}, når du gemmer:
              Kontoret ser alle projekter, og en rådgiver kun det, som andre giver adgang til.
            </p>
          )}
          {/* Hidden for the office, which sees all projects, and for advisers, who have none. */}
          <div className="group-has-[option[value=administrator]:checked]:hidden group-has-[option[value=adviser]:checked]:hidden group-has-[option[value=employee]:checked]:hidden">
            <ProjectsField projects={projects} />
          </div>
          {!user && (
            <CheckField
              name="invite"
              label="Send en invitation nu"
              help={
                sendsMail
                  ? 'Personen får en mail med et link til at vælge en adgangskode.'
                  : `${NO_MAIL} Du får et link at give videre.`
              }
              defaultChecked
            />
          )}
        </Form>
      </div>
    </Shell>
  )
}

/** The office itself tells somebody of a new e-mail, if no mail can. */
function withoutMail({ name }: UserDetails) {
  const help = `${USER_FIELDS.email.help} ${NO_MAIL} Giv selv ${name} besked, hvis du ændrer den.`
  return { ...USER_FIELDS, email: { ...USER_FIELDS.email, help } }
}

/** Asks for a confirmation if the new role sees more than the old one. The server refuses the change without it. */
function Promotion({ user: { name, role: now } }: { user: UserDetails }) {
  return ROLES.map((role) => {
    const promotion = promotionOf(now, role)
    return (
      promotion && (
        <div key={role} className={`hidden rounded-control bg-warn-soft px-3 py-2 ${SHOWN_FOR[role]}`}>
          <CheckField
            name={`promote_${role}`}
            label={`Ja, ${name} skal være ${ROLE_NAMES[role].toLowerCase()}`}
            help={`${name} kommer til at se ${promotion}.`}
            defaultChecked={false}
          />
        </div>
      )
    )
  })
}

const SHOWN_FOR = {
  administrator: 'group-has-[option[value=administrator]:checked]:block',
  employee: 'group-has-[option[value=employee]:checked]:block',
  auditor: 'group-has-[option[value=auditor]:checked]:block',
  investor: 'group-has-[option[value=investor]:checked]:block',
  adviser: 'group-has-[option[value=adviser]:checked]:block',
}

const ABOUT = {
  administrator: 'Kan alt: projekter, mapper, personer og log.',
  employee: 'Arbejder med filerne i alle projekter og hos alle personer.',
  auditor: 'Læser alle mapper i de valgte projekter.',
  investor: 'Læser delte mapper i sine projekter og sine egne filer, og sender PDF-filer til kontoret.',
  adviser: 'Læser det, som investorer giver adgang til.',
}
