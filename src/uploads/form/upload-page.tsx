import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { addressOf, type UploadForm as Form } from '../pile/pile.ts'
import { UploadForm } from './upload-form.tsx'
import type { UnsavedSummary } from '../unsaved/unsaved-pile.ts'
import type { Limits } from '../transport/upload.ts'

type UploadPageProps = {
  form: Exclude<Form, { kind: 'simple' }>
  limits: Limits
  isDirect: boolean
  kept?: UnsavedSummary | null
  placesSure?: boolean
  /** The name of a missing paper, so that it is found as such. */
  wantedName?: string | null
}

/** The office's upload page. It takes files for all projects and people, or begins with the place where one comes from. */
export function UploadPage({ wantedName = null, ...props }: UploadPageProps) {
  const { form } = props
  const { intro, ...looks } = looksOf(form)
  return (
    // All of it is new with another form, so that its dropzone hears of a drop before the page around it does.
    <Shell key={addressOf(form)} {...looks}>
      {wantedName !== null && (
        <p className="-mt-2 mb-4 sm:-mt-4">
          Kald filen <strong className="font-semibold wrap-anywhere">{wantedName}</strong>, så er papiret på
          plads.
        </p>
      )}
      {intro && <p className="-mt-2 mb-4 text-muted sm:-mt-4">{intro}</p>}
      <UploadForm {...props} />
    </Shell>
  )
}

const REPLACED: Partial<Record<string, string>> = {
  draft: 'Filen forbliver en kladde.',
  recalled: 'Filen er trukket tilbage, til den nye version udgives.',
}

type Looks = {
  title: string
  above?: string
  crumbs: { text: string; href: string }[]
  intro?: string
}

function looksOf(form: UploadPageProps['form']): Looks {
  if (form.kind === 'replace') {
    const { file, target, back } = form
    const { project, folder, user } = target
    return {
      title: `Erstat ${file.name}`,
      ...(project && { above: `Projekt ${project.number} · ${project.name} · ${folder!.name}` }),
      crumbs: [project ? PROJECTS : PEOPLE, { text: (project ?? user!).name, href: back }],
      intro: `Filen beholder navn og plads. Kun kontoret kan se den ældre version. ${REPLACED[file.held ?? 'shown'] ?? ''}`,
    }
  }
  if (form.kind === 'users') return { title: 'Upload', crumbs: [PEOPLE] }
  if (form.kind === 'person') {
    const { id, name } = form.user
    return { title: `Upload til ${name}`, crumbs: [PEOPLE, { text: name, href: urls.user(id) }] }
  }
  const { project } = form
  if (!project) return { title: 'Upload', crumbs: [] }
  return {
    title: form.kind === 'manual' ? `Upload til ${form.folder.name}` : 'Upload',
    crumbs: [PROJECTS, { text: project.name, href: urls.files(project.id) }],
  }
}

const PROJECTS = { text: 'Projekter', href: urls.projects }
const PEOPLE = { text: 'Personer', href: urls.users }
