import type { ComponentProps } from 'react'
import { AskedForm } from '../ui/form/asked-form.tsx'
import { Form } from '../ui/form/form.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { isAdministrator } from '../rights.ts'
import { urls } from '../urls.ts'
import { NO_MAIL } from './user/invitation-link.tsx'
import type { Identity } from '../accounts/oidc/provider.ts'
import type { UserDetails } from './user/user-details.ts'

type Props = { user: UserDetails; identities: Identity[]; mayEdit: boolean; sendsMail: boolean }

/** Shows the buttons that let a person in and keep them out. */
export function UserAccess({ user, identities, mayEdit, sendsMail }: Props) {
  const { deactivated, access } = user
  // Without mail the link is shown here, and its holder can sign in as the person.
  const maySendLink = !deactivated && access.state === 'accepted' && (sendsMail || mayEdit)
  if (!mayEdit && !maySendLink) return null
  return (
    <div className="mt-4 flex flex-wrap gap-3 border-t border-line pt-4">
      {maySendLink && <SendLink user={user} sendsMail={sendsMail} />}
      {mayEdit && <Access user={user} identities={identities} sendsMail={sendsMail} />}
    </div>
  )
}

/** A button that does one thing at once. */
const Act = (props: Omit<ComponentProps<typeof Form>, 'beside' | 'children'>) => (
  <Form kind="secondary" {...props} beside={null} />
)

function SendLink({ user: { id, email }, sendsMail }: Pick<Props, 'user' | 'sendsMail'>) {
  return (
    <Act
      action={urls.sendPasswordLink(id)}
      submit={sendsMail ? 'Send link til ny adgangskode' : 'Lav link til ny adgangskode'}
      loadingText={sendsMail ? 'Sender…' : 'Laver link…'}
      {...(sendsMail && { doneText: `Linket er på vej til ${email}.` })}
    />
  )
}

function Invite({ user, sendsMail }: Pick<Props, 'user' | 'sendsMail'>) {
  const { id, name, email, access, mailFault } = user
  const isInvited = access.state === 'invited'
  return (
    <>
      {!sendsMail && (
        <p className="w-full text-meta text-muted">
          {NO_MAIL} Du får et link at give videre til {name}.
        </p>
      )}
      <Act
        action={urls.inviteUser(id)}
        submit={!isInvited ? 'Send invitation' : mailFault ? 'Send igen' : 'Send ny invitation'}
        loadingText="Sender…"
        kind={isInvited && !mailFault ? 'secondary' : 'primary'}
        {...(sendsMail && { doneText: `Invitationen er på vej til ${email}.` })}
      />
    </>
  )
}

function Access({ user, identities, sendsMail }: Omit<Props, 'mayEdit'>) {
  const { user: me } = useFrame()
  const { id, name, email, deactivated, access } = user
  return (
    <>
      {!deactivated && access.state !== 'accepted' && <Invite user={user} sendsMail={sendsMail} />}
      {!deactivated && !isAdministrator(user.role) && (
        <Act action={urls.viewAs(id)} submit={`Vis som ${name}`} loadingText="Åbner…" />
      )}
      {!deactivated && access.state === 'accepted' && me!.id !== id && (
        <Act
          action={urls.endSessions(id)}
          submit="Log ud på alle enheder"
          loadingText="Logger ud…"
          doneText={`${name} er logget ud på alle enheder.`}
        />
      )}
      {me!.id !== id &&
        identities.map((identity) => (
          <Act
            key={identity.id}
            action={urls.unlinkOthers(id, identity.id)}
            submit={`Fjern login med ${identity.name}`}
            loadingText="Fjerner…"
            doneText={`${name} er logget ud og har fået besked på mail.`}
          />
        ))}
      {!deactivated && user.has_factor && me!.id !== id && (
        <Act
          action={urls.resetFactors(id)}
          submit="Nulstil totrinslogin"
          loadingText="Nulstiller…"
          doneText={`Totrinslogin er nulstillet for ${name}${sendsMail ? ', som får besked på mail' : ''}.`}
        />
      )}
      {deactivated ? (
        <Act
          action={urls.reactivateUser(id)}
          submit="Genaktiver"
          loadingText="Genaktiverer…"
          doneText={`${name} er genaktiveret og skal vælge en ny adgangskode.`}
        />
      ) : (
        <AskedForm
          name="deactivate-user"
          action={urls.deactivateUser(id)}
          submit="Deaktiver"
          kind="quiet"
          className="first:-ml-4"
          title={`Deaktiver ${name}?`}
          text={
            me!.email === email
              ? 'Det er dig selv. Du bliver logget ud og kan ikke logge ind, før en anden administrator genaktiverer dig.'
              : `${name} bliver logget ud og kan ikke logge ind. Filer og projekter bliver, hvor de er, og ${name} kan altid genaktiveres og vælger så en ny adgangskode.`
          }
          answer="danger"
          loadingText="Deaktiverer…"
          doneText={`${name} er deaktiveret.`}
        />
      )}
    </>
  )
}
