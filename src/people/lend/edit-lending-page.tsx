import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { lendingValues } from './lending-edit.ts'
import type { Lending } from './lending.ts'
import { TermsFields, type LenderInForm } from './terms-fields.tsx'

type EditLendingPageProps = {
  lender: LenderInForm
  /** The address of the page with all access that the lender has given. */
  home: string
  lending: Lending
  folders: string[]
  refused?: RefusedForm
}

export function EditLendingPage({ lender, home, lending, folders, refused }: EditLendingPageProps) {
  const { adviser } = lending
  return (
    <Shell
      title={`Adgang for ${adviser.name}`}
      above={adviser.email}
      crumbs={[
        ...(lender.isOwn
          ? [{ text: 'Min profil', href: urls.profile }]
          : [
              { text: 'Personer', href: urls.users },
              { text: lender.name, href: urls.user(lender.id) },
            ]),
        { text: 'Adgang for andre', href: home },
      ]}
    >
      <div className="max-w-[640px] rounded-card border border-line bg-surface p-4 sm:p-6">
        <Form
          action={urls.lending(home, lending.id)}
          submit="Gem"
          loadingText="Gemmer…"
          doneText="Adgangen er ændret."
          refused={refused}
          was={lendingValues(lending)}
          warnsBeforeLeaving
          beside={
            <LinkButton kind="secondary" href={home}>
              Annuller
            </LinkButton>
          }
          className="group grid gap-4"
        >
          <TermsFields lender={lender} folders={folders} lending={lending} />
        </Form>
      </div>
    </Shell>
  )
}
