import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FolderOption } from '../../files/stored-file.ts'
import { folderKey } from '../../projects/folder.ts'
import { sharingText } from '../../projects/sharing.tsx'
import { INPUT_LOOK } from '../../ui/basic/input-look.ts'
import { orNull, readJson, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'

type Options = { data: FolderOption[]; has_auditor: boolean }

type ChoiceProps = {
  project: number | undefined
  said: string
  onChange: (folder: string) => void
  /** Called if the name's folder exists in the project, and there is nothing to choose. */
  onKnown: () => void
}

/** Offers a project's folders in a native select; selects the one in the file's name, if it exists. */
export function FolderChoice({ project, said, onChange, onKnown }: ChoiceProps) {
  const id = useId()
  const [folders, setFolders] = useState<Options | 'fault' | null>(null)
  const [chosen, setChosen] = useState('')
  const field = useRef<HTMLSelectElement>(null)

  const choose = useEffectEvent((name: string) => {
    setChosen(name)
    onChange(name)
  })
  const start = useEffectEvent((options: Options) => {
    const known = options.data.find(({ name }) => folderKey(name) === folderKey(said))?.name ?? ''
    flushSync(() => {
      setFolders(options)
      choose(known)
    })
    if (known !== '' && document.activeElement === field.current) onKnown()
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

  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        Mappe
      </label>
      <select
        ref={field}
        id={id}
        value={chosen}
        // It can have the focus while its options are fetched: the modal opens there.
        disabled={project === undefined || folders === 'fault'}
        aria-busy={(project !== undefined && folders === null) || undefined}
        onChange={({ currentTarget: { value } }) => {
          setChosen(value)
          onChange(value)
        }}
        className={`${INPUT_LOOK} pl-2`}
      >
        <option value="">
          {project === undefined ? 'Vælg projekt først' : folders === null ? 'Henter...' : 'Vælg mappe'}
        </option>
        {folders !== null &&
          folders !== 'fault' &&
          folders.data.map(({ id: each, name, visible_to_investors: isShared }) => (
            <option key={each} value={name}>
              {name} ({sharingText(isShared, folders.has_auditor).toLowerCase()})
            </option>
          ))}
      </select>
      {folders === 'fault' && (
        <p className="text-meta text-danger">Mapperne kunne ikke hentes. Luk, og prøv igen.</p>
      )}
    </div>
  )
}
