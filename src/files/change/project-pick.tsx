import { useRef, useState } from 'react'
import { PickField } from '../../ui/form/pick-field.tsx'
import { fetchJson } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import type { FolderOption } from '../file/stored-file.ts'
import type { Picked } from '../screen/use-files-screen.ts'

type PickedProject = { id: number; number: string; name: string }
export type ProjectPlace = { project: PickedProject | null; folder: FolderOption | null }

type Props = {
  files: readonly Picked[]
  place: ProjectPlace
  /** The text that the project is searched by at first. */
  first: string | undefined
  onChange: (changes: Partial<ProjectPlace>) => void
  /** Where the focus goes after the choice of a project, if the folder is found by its name. */
  next: () => HTMLElement | null
}

/** Picks a project, then one of its folders: by itself the one with the same name as the folder that all files are in. */
export function ProjectPick({ files, place: { project, folder }, first, onChange, next }: Props) {
  const [isLooking, setLooking] = useState(false)
  const [same, setSame] = useState<FolderOption | null>(null)
  const turn = useRef(0)

  async function pickProject(picked: PickedProject | null): Promise<void> {
    const mine = ++turn.current
    const name = onlyFolderOf(files)
    onChange({ project: picked, folder: null })
    setSame(null)
    setLooking(picked !== null && name !== null)
    if (picked === null || name === null) return
    const found = await findFolder(picked.id, name)
    if (mine !== turn.current) return
    setLooking(false)
    setSame(found)
    if (found) onChange({ folder: found })
  }

  return (
    <>
      <PickField<PickedProject>
        label="Projekt"
        placeholder="Nummer eller navn"
        route={urls.listProjects}
        first={first}
        focusFirst
        next={() => (onlyFolderOf(files) === null ? null : next())}
        picked={project}
        onPick={(picked) => void pickProject(picked)}
        keyOf={({ id }) => id}
        textOf={({ number, name }) => `${number} ${name}`}
      />
      {project && !isLooking && (
        <PickField<FolderOption>
          key={project.id}
          label="Mappe"
          placeholder="Søg efter mappe"
          route={urls.folderOptions(project.id)}
          picked={folder}
          onPick={(picked) => onChange({ folder: picked })}
          keyOf={({ id }) => id}
          textOf={({ name }) => name}
        />
      )}
      <output className="sr-only">{same && folder === same && `Mappen ${same.name} er valgt.`}</output>
    </>
  )
}

/** The name of the folder that all files are in; null if they are in several, or in a person's. */
function onlyFolderOf(files: readonly Picked[]): string | null {
  const names = new Set(files.map(({ folder }) => folder.name))
  return names.size === 1 ? ([...names][0] ?? null) : null
}

async function findFolder(project: number, name: string): Promise<FolderOption | null> {
  const query = new URLSearchParams({ q: name })
  const found = await fetchJson<{ data: FolderOption[] }>('GET', `${urls.folderOptions(project)}?${query}`)
  return found?.data.find((folder) => folder.name === name) ?? null
}
