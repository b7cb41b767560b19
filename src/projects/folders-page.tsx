import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../ui/basic/button.tsx'
import { Form, type RefusedForm } from '../ui/form/form.tsx'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { CancelButton, Modal } from '../ui/overlay/modal.tsx'
import { modals } from '../ui/overlay/modals.ts'
import { Shell } from '../ui/shell/shell.tsx'
import { showToast } from '../ui/overlay/toasts.ts'
import { urls } from '../urls.ts'
import { ApplyQuestion, type TemplateState } from './expected/apply-question.tsx'
import { FolderForm } from './folder-form.tsx'
import { FolderItem } from './folder-item.tsx'
import type { Folder } from './folder.ts'
import type { Project } from './project/project.ts'
import { useFolderOrder } from './use-folder-order.ts'

type FoldersPageProps = {
  /** Null for the template. */
  project: Project | null
  hasAuditor: boolean
  folders: Folder[]
  /** The folder whose form is open, without JavaScript. */
  editing: number | null
  /** Null for a project. */
  template: TemplateState | null
  refused?: RefusedForm & { folder: number | null }
}

type Answer = { folders: Folder[] }

const editId = (folder: number) => `edit-folder-${folder}`

/** Edits the folders of a project or of the template. */
export function FoldersPage({
  project,
  hasAuditor,
  folders: atFirst,
  editing: editingAtFirst,
  template,
  refused,
}: FoldersPageProps) {
  const address = project ? urls.projectFolders(project.id) : urls.templateFolders
  const [folders, setFolders] = useState(atFirst)
  // Several forms can be open at once, so that opening one does not discard the text in another.
  const [editing, setEditing] = useState(() => (editingAtFirst === null ? [] : [editingAtFirst]))
  const [added, setAdded] = useState(0)
  const order = useFolderOrder(address, folders, setFolders)
  const next = useRef<string | null>(null)

  // Moves the focus after its element was removed.
  useEffect(() => {
    if (next.current === null) return
    document.getElementById(next.current)?.focus()
    next.current = null
  })

  function edit({ id }: Folder): void {
    if (!editing.includes(id)) return setEditing([...editing, id])
    return document.querySelector<HTMLElement>(`#folder-${id} input[name=name]`)?.focus()
  }

  function endEditing(folder: Folder): void {
    next.current = editId(folder.id)
    setEditing((open) => open.filter((id) => id !== folder.id))
  }

  function onRemoved(folder: Folder, answer: Answer): void {
    const place = folders.findIndex(({ id }) => id === folder.id)
    const neighbour = answer.folders[Math.min(place, answer.folders.length - 1)]
    setFolders(answer.folders)
    modals.close('remove-folder')
    showToast(`Mappen ${folder.name} er slettet.`)
    next.current = neighbour ? editId(neighbour.id) : null
  }

  function onAdded(answer: Answer): void {
    setFolders(answer.folders)
    setAdded((count) => count + 1)
    showToast(`Mappen ${answer.folders.at(-1)!.name} er tilføjet.`)
  }

  return (
    <FoldersShell project={project}>
      {template && <ApplyQuestion {...template} />}
      <ol aria-label="Mapper" className="rounded-card border border-line bg-surface">
        {folders.map((folder, index) => (
          <FolderItem
            key={folder.id}
            folder={folder}
            index={index}
            count={folders.length}
            address={address}
            hasFiles={project !== null}
            hasAuditor={hasAuditor}
            isChanged={order.moved === folder.id}
            isBusy={order.busy === folder.id}
            onMove={order.move}
            onEdit={() => edit(folder)}
            isOpen={editing.includes(folder.id)}
          >
            <FolderForm
              action={urls.folder(address, folder.id)}
              submit="Gem mappe"
              folder={folder}
              takesFocus
              refused={refused?.folder === folder.id ? refused : undefined}
              beside={
                <Button
                  type="button"
                  kind="secondary"
                  onClick={() => endEditing(folder)}
                  className="noscript:hidden"
                >
                  Annuller
                </Button>
              }
              onDone={(answer) => {
                setFolders(answer.folders)
                endEditing(folder)
                showToast(
                  answer.said ?? `Mappen ${answer.folders.find(({ id }) => id === folder.id)?.name} er gemt.`,
                )
              }}
            />
          </FolderItem>
        ))}
        {folders.length === 0 && <li className="px-4 py-6 text-muted">Ingen mapper endnu.</li>}
      </ol>
      <output className="sr-only">{order.announcement}</output>

      <section className="mt-6 max-w-[640px] rounded-card border border-line bg-surface p-4 sm:p-6">
        <h2 className="mb-4 text-section font-semibold">Ny mappe</h2>
        <FolderForm
          key={added}
          action={address}
          submit="Tilføj mappe"
          folder={null}
          takesFocus={added > 0}
          kind={editing.length > 0 ? 'secondary' : 'primary'}
          beside={null}
          refused={refused?.folder === null ? refused : undefined}
          onDone={onAdded}
        />
      </section>

      <RemoveFolderModal address={address} isOfProject={project !== null} onRemoved={onRemoved} />
    </FoldersShell>
  )
}

function FoldersShell({ project, children }: { project: Project | null; children: ReactNode }) {
  return (
    <Shell
      title={project ? 'Mapper' : 'Mappeskabelon'}
      {...(project && {
        above: `Projekt ${project.number} · ${project.name}`,
        aboveHref: urls.files(project.id),
      })}
      crumbs={
        project
          ? [
              { text: 'Projekter', href: urls.projects },
              { text: project.name, href: urls.files(project.id) },
            ]
          : []
      }
      actions={
        project && (
          <LinkButton kind="secondary" href={urls.editProject(project.id)}>
            Rediger projekt
          </LinkButton>
        )
      }
    >
      {children}
    </Shell>
  )
}

type RemoveProps = {
  address: string
  isOfProject: boolean
  onRemoved: (folder: Folder, answer: Answer) => void
}

function RemoveFolderModal({ address, isOfProject, onRemoved }: RemoveProps) {
  return (
    <Modal<Folder> name="remove-folder" title={(folder) => `Slet mappen ${folder.name}?`}>
      {(folder) => (
        <Form
          action={urls.removeFolder(address, folder.id)}
          submit="Slet mappe"
          kind="danger"
          loadingText="Sletter…"
          beside={<CancelButton />}
          onDone={(answer) => onRemoved(folder, answer as Answer)}
        >
          <p className="text-muted">
            {isOfProject
              ? 'Mappen er tom. Nye filer med dens navn eller undernavne lægges ikke længere i projektet.'
              : 'Projekter, der allerede har mappen, beholder den.'}
          </p>
        </Form>
      )}
    </Modal>
  )
}
