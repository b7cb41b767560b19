import { FieldInputs } from '../ui/form/field-inputs.tsx'
import { Form, type RefusedForm } from '../ui/form/form.tsx'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { urls } from '../urls.ts'
import type { ProjectYears } from './expected/accounting-years.db.ts'
import { YearsFields } from './expected/years-fields.tsx'
import { MembersField } from './members-field.tsx'
import { projectValues } from './project-edit.ts'
import { OWN_FIELDS } from './project/project.fields.ts'
import type { Member, Project } from './project/project.ts'

type EditProjectPageProps = {
  /** Null for a new project. */
  project: Project | null
  /** Null for a new project. */
  years: ProjectYears | null
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
            .
          </p>
        )}
        <Form
          action={project ? urls.editProject(project.id) : urls.newProject}
          submit={project ? 'Gem' : 'Opret projekt'}
          loadingText={project ? 'Gemmer…' : 'Opretter…'}
          doneText={project ? 'Projektet er gemt.' : 'Projektet er oprettet.'}
          refused={refused}
          was={project && years ? projectValues(project, years) : undefined}
          warnsBeforeLeaving
          beside={
            <LinkButton kind="secondary" href={urls.projects}>
              Annuller
            </LinkButton>
          }
        >
          <FieldInputs fields={OWN_FIELDS} values={project} />
          <YearsFields years={years} />
          <MembersField members={members} />
        </Form>
      </div>
    </Shell>
  )
}
