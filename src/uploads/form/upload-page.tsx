import { ownReadersText } from '../../access/lent.ts'
import { Sharing } from '../../projects/sharing.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { folderAnchor, urls } from '../../urls.ts'
import type { UploadForm as Form } from '../pile/pile.ts'
import { UploadForm } from './upload-form.tsx'
import type { UnsavedSummary } from '../unsaved/unsaved-pile.ts'
import type { Limits } from '../transport/upload.ts'

type UploadPageProps = {
  form: Exclude<Form, { kind: 'simple' }>
  limits: Limits
  isDirect: boolean
  kept?: UnsavedSummary | null
  /** The name of a missing paper, so that it is found as such. */
  wantedName?: string | null
}

/** The office's upload page: for one folder, sorted by folder, sorted by person, or for one person. */
export function UploadPage({ form, limits, isDirect, kept = null, wantedName = null }: UploadPageProps) {
  const { title, above, crumbs, intro, back } = looks(form)
  return (
    <Shell
      title={title}
      {...(above && { above })}
      crumbs={crumbs}
      {...(isForMany(form) && {
        actions: (
          <LinkButton kind="secondary" href={urls.splitUpload}>
            Del og fordel
          </LinkButton>
        ),
      })}
    >
      {wantedName !== null && (
        <p className="-mt-2 mb-4 sm:-mt-4">
          Kald filen <strong className="font-semibold wrap-anywhere">{wantedName}</strong>, så bliver papiret
          regnet for at være på plads.
        </p>
      )}
      {intro && <div className="-mt-2 mb-4 text-muted sm:-mt-4">{intro}</div>}
      <UploadForm form={form} limits={limits} isDirect={isDirect} back={back} kept={kept} />
    </Shell>
  )
}

/** Whether its files may be for anybody. */
const isForMany = (form: Form) => form.kind === 'users' || (form.kind === 'folders' && form.project === null)

const REPLACED: Partial<Record<string, string>> = {
  draft: 'Filen er en kladde, og det bliver den ved med at være.',
  recalled: 'Filen er trukket tilbage. Udgives den nye version, kan den ses igen.',
}

function looks(form: UploadPageProps['form']) {
  if (form.kind === 'replace') {
    const { file, target, back } = form
    const place = { text: (target.project ?? target.user!).name, href: back }
    return {
      title: `Erstat ${file.name}`,
      above:
        target.project &&
        `Projekt ${target.project.number} · ${target.project.name} · ${target.folder!.name}`,
      crumbs: [
        target.project ? { text: 'Projekter', href: urls.projects } : { text: 'Brugere', href: urls.users },
        place,
      ],
      intro: `Filen beholder navn, plads og adresse. Den ældre version kan kun kontoret se, i filens historik. ${REPLACED[file.held ?? 'shown'] ?? ''}`,
      back,
    }
  }
  if (form.kind === 'users')
    return {
      title: 'Upload til brugere',
      above: undefined,
      crumbs: [{ text: 'Brugere', href: urls.users }],
      intro:
        'Hver fil lægges hos den bruger, hvis nummer står i parentes, for eksempel ”Årsopgørelse (2001) 2025.pdf”.',
      back: urls.users,
    }
  if (form.kind === 'person')
    return {
      title: `Upload til ${form.user.name}`,
      above: undefined,
      crumbs: [
        { text: 'Brugere', href: urls.users },
        { text: form.user.name, href: urls.user(form.user.id) },
      ],
      intro: `Alle filerne lægges hos ${form.user.name}, hvad de end hedder. De ses af ${ownReadersText(form.user.name, form.user.readers)}.`,
      back: urls.user(form.user.id),
    }
  const rule = (number: string) =>
    `Hver fil lægges i den mappe, den er opkaldt efter, for eksempel ”Årsrapport (${number}) 2025.pdf”.`
  if (form.kind === 'folders' && !form.project)
    return {
      title: 'Upload',
      above: undefined,
      crumbs: [{ text: 'Projekter', href: urls.projects }],
      intro:
        'Alt i én bunke: Et projekts nummer i parentes lægger filen i den mappe, den er opkaldt efter, for eksempel ”Årsrapport (1024) 2025.pdf”. En investors nummer lægger den hos investoren, for eksempel ”Årsopgørelse (2001) 2025.pdf”.',
      back: urls.projects,
    }
  const project = form.project!
  const files = urls.files(project.id)
  return {
    title: form.kind === 'manual' ? `Upload til ${form.folder.name}` : 'Upload',
    above: `Projekt ${project.number} · ${project.name}`,
    crumbs: [
      { text: 'Projekter', href: urls.projects },
      { text: project.name, href: files },
    ],
    intro:
      form.kind === 'manual' ? (
        <p className="flex">
          <Sharing isShared={form.folder.visible_to_investors} hasAuditor={form.project.has_auditor} />
        </p>
      ) : (
        rule(project.number)
      ),
    back: form.kind === 'manual' ? `${files}#${folderAnchor(form.folder.id)}` : files,
  }
}
