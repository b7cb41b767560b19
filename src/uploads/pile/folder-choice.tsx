import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FolderOption } from '../../files/file/stored-file.ts'
import { folderKey } from '../../projects/folder.ts'
import { sharingText } from '../../projects/sharing.tsx'
import { INPUT_LOOK } from '../../ui/basic/input-look.ts'
import { orNull, readJson, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'

type Options = { data: FolderOption[]; has_auditor: boolean }

type ChoiceProps = {
  project: number | undefined
  /** Is selected if the project has a folder of this name. */
  named?: string
  onChange: (folder: FolderOption | null) => void
  /** Called if the named folder exists in the project, and there is nothing to choose. */
  onKnown?: () => void
  /** How the user tries again if the folders cannot be fetched. */
  again: string
}

/** Offers a project's folders in a native select. Another project needs another `key`. */
export function FolderChoice({ project, named = '', onChange, onKnown, again }: ChoiceProps) {
  const id = useId()
  const [folders, setFolders] = useState<Options | 'fault' | null>(null)
  const [chosen, setChosen] = useState('')
  const field = useRef<HTMLSelectElement>(null)

  const start = useEffectEvent((options: Options) => {
    const known = options.data.find(({ name }) => folderKey(name) === folderKey(named)) ?? null
    flushSync(() => {
      setFolders(options)
      setChosen(known?.name ?? '')
      onChange(known)
    })
    if (known && document.activeElement === field.current) onKnown?.()
  })
  useEffect(() => {
    if (project === undefined) return undefined
    const gone = new AbortController()
    const fetchOptions = async () => {
      const response = await orNull(send('GET', urls.folderOptions(project), null, gone.signal))
      const body = response?.ok ? await orNull(readJson<Options>(response)) : null
      if (gone.signal.aborted) return
      if (body) start(body)
      else setFolders('fault')
    }
    void fetchOptions()
    return () => gone.abort()
  }, [project])

  const options = folders === 'fault' ? null : folders
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        Mappe
      </label>
      <select
        ref={field}
        id={id}
        value={chosen}
        // It can have the focus while its options are fetched, since the modal opens there.
        disabled={project === undefined || folders === 'fault'}
        aria-busy={(project !== undefined && folders === null) || undefined}
        onChange={({ currentTarget: { value } }) => {
          setChosen(value)
          onChange(options?.data.find(({ name }) => name === value) ?? null)
        }}
        className={`${INPUT_LOOK} pl-2`}
      >
        <option value="">
          {project === undefined ? 'Vælg projekt først' : folders === null ? 'Henter...' : 'Vælg mappe'}
        </option>
        {options?.data.map(({ id: each, name, visible_to_investors: isShared }) => (
          <option key={each} value={name}>
            {name} ({sharingText(isShared, options.has_auditor).toLowerCase()})
          </option>
        ))}
      </select>
      {folders === 'fault' && <p className="text-meta text-danger">Mapperne kunne ikke hentes. {again}</p>}
    </div>
  )
}
