import { TriangleAlert } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { FolderOption } from '../../files/stored-file.ts'
import { sharingText } from '../../projects/sharing.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { INPUT_LOOK } from '../../ui/basic/input-look.ts'
import { PickField } from '../../ui/form/pick-field.tsx'
import { orNull, readJson, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'

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
            <FolderSelect
              key={project.id}
              project={project.id}
              chosen={original.folder}
              onChange={(folder) => onChange({ folder })}
            />
          )}
          {original.folder?.visible_to_investors && (
            <p className="flex items-start gap-2 text-meta text-warn">
              <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
              Mappen deles med investorer: Alle investorer i projektet kan så se alle siderne, også de andres.
            </p>
          )}
        </div>
      )}
      <Faults id={`${id}-fault`} faults={faults} />
    </fieldset>
  )
}

type Options = { data: FolderOption[]; has_auditor: boolean }
type SelectProps = {
  project: number
  chosen: FolderOption | null
  onChange: (folder: FolderOption | null) => void
}

function FolderSelect({ project, chosen, onChange }: SelectProps) {
  const id = useId()
  const [options, setOptions] = useState<Options | 'fault' | null>(null)
  useEffect(() => {
    const gone = new AbortController()
    const fetchOptions = async () => {
      const response = await orNull(send('GET', urls.folderOptions(project), null, gone.signal))
      const body = response?.ok ? await orNull(readJson<Options>(response)) : null
      if (!gone.signal.aborted) setOptions(body ?? 'fault')
    }
    void fetchOptions()
    return () => gone.abort()
  }, [project])
  if (options === 'fault')
    return <p className="text-meta text-danger">Mapperne kunne ikke hentes. Vælg projektet igen.</p>
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        Mappe
      </label>
      <select
        id={id}
        value={chosen?.id ?? ''}
        aria-busy={options === null || undefined}
        onChange={({ currentTarget: { value } }) =>
          onChange(options?.data.find((folder) => String(folder.id) === value) ?? null)
        }
        className={`${INPUT_LOOK} pl-2`}
      >
        <option value="">{options === null ? 'Henter...' : 'Vælg mappe'}</option>
        {options?.data.map(({ id: each, name, visible_to_investors: isShared }) => (
          <option key={each} value={each}>
            {name} ({sharingText(isShared, options.has_auditor).toLowerCase()})
          </option>
        ))}
      </select>
    </div>
  )
}
