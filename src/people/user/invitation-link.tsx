import { ShownOnce } from '../../ui/form/shown-once.tsx'

/** Tells an administrator why a page that sends mails does not. */
export const NO_MAIL = 'Der er ikke sat en mailserver op (SMTP_URL).'

/** A link to pass on: to accept an invitation, or to choose a new password. */
export type GivenLink = { kind: 'invitation' | 'reset'; link: string }

const HEADS = {
  invitation: 'Invitationen er ikke sendt som mail',
  reset: 'Linket er ikke sendt som mail',
}
const TIMES = { invitation: '14 dage', reset: '24 timer' }

/** Shows the link once, if no mail can be sent. */
export function InvitationLink({ kind, link, name }: GivenLink & { name: string }) {
  return (
    <ShownOnce head={HEADS[kind]} secret={link} copyText="Kopier link" isWarning>
      Giv selv linket videre til {name}. Det virker i {TIMES[kind]}, kan bruges én gang og vises kun nu. Den,
      der har linket, kan vælge adgangskoden.
    </ShownOnce>
  )
}
