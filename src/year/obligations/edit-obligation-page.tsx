import { LinkButton } from '../../ui/basic/link-button.tsx'
import { CheckField } from '../../ui/form/check-field.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, useForm, type RefusedForm } from '../../ui/form/form.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { NO_ADVICE } from './duty-mail.ts'
import { FormPart, ObligationDateField } from './obligation-fields.tsx'
import { BoundFields } from './bound-fields.tsx'
import { DueFields } from './due-fields.tsx'
import { obligationValues } from './obligation-edit.ts'
import { isShippedFiling, NEW_OBLIGATION, type ObligationFields } from './obligation.ts'
import type { Colleague, EditedObligation } from './obligations.db.ts'

type EditObligationPageProps = {
  /** Null for a new one. */
  obligation: EditedObligation | null
  people: Colleague[]
  /** The names of folders, to choose from. */
  folders: string[]
  /** The other obligations. */
  others: { id: number; title: string }[]
  refused?: RefusedForm
}

export function EditObligationPage({
  obligation,
  people,
  folders,
  others,
  refused,
}: EditObligationPageProps) {
  return (
    <Shell
      title={obligation ? 'Rediger pligt' : 'Ny pligt'}
      {...(obligation && { above: obligation.title })}
      crumbs={[{ text: 'Året', href: urls.yearRules }]}
    >
      <div className="grid max-w-[640px] gap-6">
        <p className="-mt-2 text-muted">{NO_ADVICE}</p>
        <div className="rounded-card border border-line bg-surface p-4 sm:p-6">
          <Form
            action={obligation ? urls.editObligation(obligation.id) : urls.newObligation}
            submit={obligation ? 'Gem' : 'Tilføj pligt'}
            loadingText={obligation ? 'Gemmer…' : 'Tilføjer…'}
            doneText={obligation ? 'Pligten er gemt, og fristerne følger med.' : 'Pligten er tilføjet.'}
            refused={refused}
            was={obligation ? obligationValues(obligation) : undefined}
            warnsBeforeLeaving
            beside={
              <LinkButton kind="secondary" href={urls.yearRules}>
                Annuller
              </LinkButton>
            }
            className="group grid gap-6"
          >
            <Fields obligation={obligation} people={people} folders={folders} others={others} />
          </Form>
        </div>
        {obligation?.code === null && <Remove id={obligation.id} />}
      </div>
    </Shell>
  )
}

function Fields({ obligation, people, folders, others }: Omit<EditObligationPageProps, 'refused'>) {
  const { values } = useForm()
  const now = obligation ?? NEW_OBLIGATION
  const former = people.some(({ id }) => id === now.responsible_id) ? null : now.responsible_id
  return (
    <>
      <FormPart title="Pligten">
        <Field
          name="title"
          label="Titel"
          autoComplete="off"
          maxLength={100}
          defaultValue={values.title ?? now.title}
        />
        <TextArea
          name="explanation"
          label="Forklaring"
          help="Hvad der skal gøres, og for hvem. Vises ved hver frist."
          defaultValue={now.explanation}
          maxLength={2000}
        />
        <Field
          name="source"
          label="Kilde"
          autoComplete="off"
          maxLength={200}
          defaultValue={values.source ?? now.source}
        />
        <Field
          name="source_url"
          label="Kildens adresse på nettet (kan udelades)"
          type="url"
          autoComplete="off"
          maxLength={500}
          defaultValue={values.source_url ?? now.source_url}
        />
      </FormPart>
      <DueFields obligation={now} />
      <BoundFields
        obligation={now}
        bound={obligation?.bound ?? []}
        freed={obligation?.freed ?? []}
        undecided={obligation?.undecided ?? []}
        others={others}
      />
      <FormPart title="Udførelse og besked">
        {isShippedFiling(obligation) ? (
          <p>
            <input type="hidden" name="is_filing" value="1" />
            Indberettes til en myndighed: {FILING}
          </p>
        ) : (
          <DoneFields obligation={now} folders={folders} />
        )}
        <SelectField
          name="responsible_id"
          label="Ansvarlig"
          defaultValue={String(now.responsible_id ?? '')}
          options={[
            { value: '', text: 'Ingen ansvarlig' },
            ...(former === null
              ? []
              : [{ value: String(former), text: 'En, der ikke længere er på kontoret' }]),
            ...people.map(({ id, name }) => ({ value: String(id), text: name })),
          ]}
        />
        <Field
          name="remind_days"
          label="Besked på mail, dage før fristen"
          help="For eksempel 30, 7, 1. En forsinket frist giver besked den første dag og så hver uge."
          autoComplete="off"
          maxLength={100}
          defaultValue={values.remind_days ?? now.remind_days.join(', ')}
        />
        <ObligationDateField
          name="watched_from"
          label="Følg frister fra og med"
          choose="Vælg den første frist, der følges"
          value={obligation?.watched_from ?? null}
          help="Ældre frister vises ikke. Tomt: fra i dag."
        />
        <CheckField
          name="is_active"
          label="Pligten er slået til"
          help="Slået fra giver den ingen frister. De udførte bliver stående."
          defaultChecked={now.is_active}
        />
      </FormPart>
    </>
  )
}

const FILING =
  'Fristen er udført, når en på kontoret har sagt det. Et papir i en mappe er ikke en indberetning.'

/** The fields that say what ends a duty. */
function DoneFields({ obligation, folders }: { obligation: ObligationFields; folders: string[] }) {
  const { values } = useForm()
  return (
    <>
      <CheckField
        name="is_filing"
        label="Indberettes til en myndighed"
        help={FILING}
        defaultChecked={obligation.is_filing}
      />
      <div className="grid group-has-[[name=is_filing]:checked]:hidden">
        <Field
          name="folder_name"
          label="Mappe, hvis papir opfylder pligten (kan udelades)"
          help="Fristen er udført, når periodens papir ligger her. Uden mappe markerer kontoret den selv."
          list="obligation-folders"
          autoComplete="off"
          maxLength={100}
          defaultValue={values.folder_name ?? obligation.folder_name}
        />
        <datalist id="obligation-folders">
          {folders.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </datalist>
      </div>
    </>
  )
}

function Remove({ id }: { id: number }) {
  return (
    <details className="rounded-card border border-line bg-surface p-4 sm:p-6">
      <summary className="cursor-pointer font-medium">Slet pligten</summary>
      <p className="my-4 text-muted">
        Alle dens frister slettes for altid, også de udførte. Vil du beholde dem, så slå den fra i stedet.
      </p>
      <Form
        action={urls.removeObligation(id)}
        submit="Slet pligten og dens frister"
        loadingText="Sletter…"
        doneText="Pligten er slettet."
        kind="danger"
        beside={null}
      />
    </details>
  )
}
