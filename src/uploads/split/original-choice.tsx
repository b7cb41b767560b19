import { TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import type { FolderOption } from '../../files/file/stored-file.ts'
import { Faults } from '../../ui/basic/faults.tsx'
import { PickField } from '../../ui/form/pick-field.tsx'
import { urls } from '../../urls.ts'
import { FolderChoice } from '../pile/folder-choice.tsx'

/** Where the PDF itself goes: nowhere, or into a folder, which is null until it is chosen. */
export type Original = 'nowhere' | { folder: FolderOption | null }

type Project = { id: number; number: string; name: string }
type Props = { original: Original; onChange: (original: Original) => void; faults: string[] }

/** Chooses what becomes of the PDF that is divided. */
export function OriginalChoice({ original, onChange, faults }: Props) {
  const id = useId()
  const [project, setProject] = useState<Project | null>(null)
  const isKept = original !== 'nowhere'
  return (
    <fieldset
      className="grid content-start gap-2"
      aria-describedby={faults.length > 0 ? `${id}-fault` : undefined}
    >
      <legend className="mb-1 font-medium">Originalen</legend>
      {(['nowhere', 'folder'] as const).map((way) => (
        <label key={way} className="flex min-h-6 cursor-pointer items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="radio"
            name={`${id}-way`}
            checked={isKept === (way === 'folder')}
            onChange={() => onChange(way === 'folder' ? { folder: null } : 'nowhere')}
          />
          {way === 'folder' ? 'Læg den i en projektmappe' : 'Gem den ikke'}
        </label>
      ))}
      {isKept && (
        <div className="grid gap-2">
          <PickField<Project>
            label="Projekt"
            placeholder="Nummer eller navn"
            route={urls.listProjects}
            picked={project}
            onPick={(next) => {
              setProject(next)
              onChange({ folder: null })
            }}
            keyOf={(each) => each.id}
            textOf={(each) => `${each.number} ${each.name}`}
          />
          {project && (
            <FolderChoice
              key={project.id}
              project={project.id}
              onChange={(folder) => onChange({ folder })}
              again="Vælg projektet igen."
            />
          )}
          {original.folder?.visible_to_investors && (
            <p className="flex items-start gap-2 text-meta text-warn">
              <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
              Alle investorer i projektet kan så se alle siderne, også de andres.
            </p>
          )}
        </div>
      )}
      <Faults id={`${id}-fault`} faults={faults} />
    </fieldset>
  )
}
