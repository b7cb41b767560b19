import { CheckField } from '../../ui/form/check-field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { urls } from '../../urls.ts'
import { ReleaseActButton } from '../release/release-act-button.tsx'
import { MOST_MESSAGE, type MailPreview, type Release } from '../release/release.ts'

type Props = { release: Release; mail: MailPreview; refused: RefusedForm | undefined }

/** Shows the mail about a release as it will look, with what the office may add to it. */
export function MailCard({ release, mail, refused }: Props) {
  return (
    <section aria-labelledby="mail" className="grid gap-4 print:hidden">
      <h2 id="mail" className="text-section font-semibold">
        Mailen
      </h2>
      <div className="grid gap-6 rounded-card border border-line bg-surface p-4">
        <Form
          action={urls.releaseAct(release.id, 'write')}
          submit="Gem"
          kind="secondary"
          beside={null}
          doneText="Mailen er ændret."
          warnsBeforeLeaving
          refused={refused}
          was={{ message: release.message, is_for_everybody: release.is_for_everybody }}
          className="grid content-start gap-4"
        >
          <TextArea
            name="message"
            label="Besked fra kontoret"
            help="Kan udelades. Står efter listen over papirer."
            defaultValue={release.message}
            maxLength={MOST_MESSAGE}
          />
          <CheckField
            name="is_for_everybody"
            label="Skal ud til alle"
            help="Straks, også til dem, der har valgt mails sjældnere eller aldrig."
            defaultChecked={release.is_for_everybody}
          />
        </Form>
        <div className="grid content-start gap-3">
          <div className="rounded-control border border-line bg-sunken px-4 py-3">
            <p className="font-medium wrap-anywhere">{mail.subject}</p>
            <p className="mt-2 text-meta wrap-anywhere whitespace-pre-wrap text-muted">{mail.text}</p>
          </div>
          <ReleaseActButton
            id={release.id}
            act="sample"
            text="Send en prøve til mig"
            loadingText="Sender…"
            doneText="Prøven er på vej til din egen e-mail."
            kind="quiet"
          />
        </div>
      </div>
    </section>
  )
}
