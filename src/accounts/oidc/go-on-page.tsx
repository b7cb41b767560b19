import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Form } from '../../ui/form/form.tsx'
import { PageFrame } from '../../ui/shell/page-frame.tsx'
import { urls } from '../../urls.ts'

type GoOnPageProps = {
  /** The provider's name and the text of its button. */
  name: string
  button: string
  /** The form that begins; null if it has begun. */
  begin: { action: string; next: string } | null
  /** The provider's address, once it has begun. The browser goes there by itself. */
  address: string | null
}

/** Leads to a provider: for a link to this page, or for a browser without JavaScript. */
export function GoOnPage({ name, button, begin, address }: GoOnPageProps) {
  return (
    <PageFrame width="max-w-[440px]">
      <h1 className="text-title font-semibold">{button}</h1>
      <p className="mt-1 mb-6 text-muted">
        {address === null
          ? 'Du kommer tilbage hertil bagefter.'
          : `Du bliver sendt videre til ${name}. Sker der ikke noget, så tryk her:`}
      </p>
      {begin && (
        <Form action={begin.action} submit={`Fortsæt til ${name}`} loadingText="Sender dig videre…">
          <input type="hidden" name="next" value={begin.next} />
        </Form>
      )}
      {address !== null && <LinkButton href={address}>Fortsæt til {name}</LinkButton>}
      <p className="mt-4">
        <a href={urls.login} className="text-accent underline-offset-2 hover:underline">
          Log ind med adgangskode
        </a>
      </p>
    </PageFrame>
  )
}
