import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FolderOption } from '../../files/stored-file.ts'
import { Button } from '../../ui/basic/button.tsx'
import { INPUT_LOOK } from '../../ui/basic/input-look.ts'
import { CancelButton, Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { PickField } from '../../ui/form/pick-field.tsx'
import { orNull, readJson, send } from '../../ui/overlay/request.ts'
import { folderKey } from '../../projects/folder.ts'
import { sharingText } from '../../projects/sharing.tsx'
import { urls } from '../../urls.ts'
import { isTooLong, readFileName } from '../names/file-name.ts'
import type { Ignored, UploadForm } from './pile.ts'
import { faultText } from '../names/placing.ts'
import { repaired, type Repair } from './repair.ts'

type Props = { form: UploadForm; onRepair: (ignored: Ignored, how: Repair) => void }

/** Lets the user choose where a file belongs, and changes its name to say so. */
export function RepairModal({ form, onRepair }: Props) {
  return (
    <Modal<Ignored> name="repair" title="Hvor hører filen til?">
      {(ignored) => (
        <RepairForm
          key={ignored.upload.id}
          form={form}
          ignored={ignored}
          onRepair={(how) => {
            modals.close('repair')
            onRepair(ignored, how)
          }}
        />
      )}
    </Modal>
  )
}

type FormProps = { form: UploadForm; ignored: Ignored; onRepair: (how: Repair) => void }
type ProjectChoice = { id: number; number: string; name: string }
type UserChoice = { id: number; name: string; numbers: string[] }

function RepairForm({ form, ignored: { upload, fault }, onRepair }: FormProps) {
  const said = readFileName(upload.name)
  const fixed = form.kind === 'folders' ? form.project : null
  const [picked, setPicked] = useState<ProjectChoice | null>(null)
  const [user, setUser] = useState<UserChoice | null>(null)
  const [folder, setFolder] = useState('')
  // If the project exists, only the folder is wrong.
  const given = fixed ?? (fault.kind === 'folder' ? { id: fault.projectId, number: fault.project } : null)
  const project = given ?? picked
  const key = form.kind === 'users' ? user?.numbers[0] : project?.number
  const isChosen = key !== undefined && (form.kind === 'users' || folder !== '')
  const how: Repair =
    form.kind === 'users'
      ? { key: key! }
      : { ...(folder !== said?.folder && { folder }), ...(key !== said?.key && { key: key! }) }

  const name = isChosen ? repaired(form, upload.name, how) : ''
  const tooLong = isTooLong(name)
  const isWhole = isChosen && !tooLong

  // The next field, or the button, so that a second Enter submits.
  const box = useRef<HTMLFormElement>(null)
  const next = () => box.current!.querySelector<HTMLElement>('select:enabled, [type=submit]:enabled')

  return (
    <form
      ref={box}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole) onRepair(how)
      }}
    >
      <div>
        <p className="font-medium wrap-anywhere">{upload.name}</p>
        <p className="text-muted">{faultText(fault)}</p>
      </div>
      {form.kind === 'users' ? (
        <PickField<UserChoice>
          label="Bruger"
          placeholder="Nummer, navn eller e-mail"
          route={urls.listUsers}
          picked={user}
          onPick={setUser}
          next={next}
          keyOf={({ id }) => id}
          textOf={({ name: theirs, numbers }) =>
            [theirs, ...numbers.slice(0, 1).map((each) => `(${each})`)].join(' ')
          }
          whyNot={({ numbers }) => (numbers.length > 0 ? null : 'har intet nummer')}
        />
      ) : (
        <>
          {!given && (
            <PickField<ProjectChoice>
              label="Projekt"
              placeholder="Nummer eller navn"
              route={urls.listProjects}
              picked={picked}
              onPick={(choice) => {
                setPicked(choice)
                setFolder('')
              }}
              next={next}
              keyOf={({ id }) => id}
              textOf={(each) => `${each.number} ${each.name}`}
            />
          )}
          <FolderChoice
            key={project?.id}
            project={project?.id}
            said={said?.folder ?? ''}
            onChange={setFolder}
            onKnown={() => box.current!.querySelector<HTMLElement>('[type=submit]:enabled')?.focus()}
          />
        </>
      )}
      <p aria-live="polite" className="text-meta text-muted wrap-anywhere">
        {isChosen && (tooLong ? `Navnet ville blive for langt: ”${name}”.` : `Nyt navn: ”${name}”.`)}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <CancelButton />
        <Button type="submit" disabled={!isWhole}>
          Ret navnet
        </Button>
      </div>
    </form>
  )
}

type Options = { data: FolderOption[]; has_auditor: boolean }

type ChoiceProps = {
  project: number | undefined
  said: string
  onChange: (folder: string) => void
  /** Called if the name's folder exists in the project, and there is nothing to choose. */
  onKnown: () => void
}

/** Offers a project's folders in a native select; selects the one in the file's name, if it exists. */
function FolderChoice({ project, said, onChange, onKnown }: ChoiceProps) {
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
