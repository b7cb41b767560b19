import { Field } from '../ui/form/field.tsx'
import { Form, type RefusedForm } from '../ui/form/form.tsx'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { SelectField } from '../ui/form/select-field.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { urls } from '../urls.ts'
import type { AccountingYears } from './accounting-year.ts'
import { YearsFields } from './expected/years-fields.tsx'
import { MembersField } from './members-field.tsx'
import { projectValues } from './project-edit.ts'
import { STATUS_NAMES, STATUSES, type Member, type Project } from './project.ts'

type EditProjectPageProps = {
  /** Null for a new project. */
  project: Project | null
  /** Null for a new project. */
  years: AccountingYears | null
  members: Member[]
  refused?: RefusedForm
}

const CRUMBS = [{ text: 'Projekter', href: urls.projects }]

export function EditProjectPage({ project, years, members, refused }: EditProjectPageProps) {
  return (
    <Shell
      title={project ? 'Rediger projekt' : 'Nyt projekt'}
      crumbs={project ? [...CRUMBS, { text: project.name, href: urls.files(project.id) }] : CRUMBS}
      {...(project && {
        above: `Projekt ${project.number} · ${project.name}`,
        aboveHref: urls.files(project.id),
      })}
      actions={
        project && (
          <LinkButton kind="secondary" href={urls.projectFolders(project.id)}>
            Mapper
          </LinkButton>
        )
      }
    >
      <div className="max-w-[640px] rounded-card border border-line bg-surface p-4 sm:p-6">
        {!project && (
          <p className="mb-4 text-muted">
            Projektet får sine mapper fra{' '}
            <a href={urls.templateFolders} className="text-accent underline underline-offset-2">
              mappeskabelonen
            </a>
            . Du kan ændre dem bagefter.
          </p>
        )}
        <Form
          action={project ? urls.editProject(project.id) : urls.newProject}
          submit={project ? 'Gem' : 'Opret projekt'}
          loadingText={project ? 'Gemmer…' : 'Opretter…'}
          said={project ? 'Projektet er gemt.' : 'Projektet er oprettet. Her er dets mapper.'}
          refused={refused}
          was={project && years ? projectValues(project, years) : undefined}
          warnsBeforeLeaving
          beside={
            <LinkButton kind="secondary" href={urls.projects}>
              Annuller
            </LinkButton>
          }
        >
          <Field
            name="number"
            label="Nummer"
            help="Nummeret i parentes i filnavnene, for eksempel 1024."
            autoComplete="off"
            defaultValue={refused?.values.number ?? project?.number}
          />
          <Field
            name="name"
            label="Navn"
            autoComplete="off"
            defaultValue={refused?.values.name ?? project?.name}
          />
          <Field
            name="cvr"
            label="CVR-nr."
            help="Otte cifre. Feltet kan stå tomt."
            inputMode="numeric"
            autoComplete="off"
            defaultValue={refused?.values.cvr ?? project?.cvr ?? ''}
          />
          <SelectField
            name="status"
            label="Status"
            defaultValue={project?.status ?? 'active'}
            options={STATUSES.map((status) => ({ value: status, text: STATUS_NAMES[status] }))}
          />
          <YearsFields years={years} />
          <MembersField members={members} />
        </Form>
      </div>
    </Shell>
  )
}
