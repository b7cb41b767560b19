import { ImageUp, LoaderCircle } from 'lucide-react'
import { useEffect, useId, useRef, useState, type DragEvent, type FormEvent } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { FieldErrors } from '../../base/field-errors.ts'
import { Avatar } from '../../ui/basic/avatar.tsx'
import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { OFFLINE, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { changeOwnUser, useOwnUser } from '../../ui/shell/use-own-user.ts'
import { urls } from '../../urls.ts'
import { largeImage } from './image-address.ts'
import { IMAGE_FAULTS, IMAGE_TYPES, MOST_IMAGE_BYTES } from './profile-image.ts'

type Props = { faults: string[]; onFaults: (faults: string[]) => void }

/** S2.9: choose or drop an image; it is shown at once and saved. Without JavaScript this is a plain form. */
export function ProfileImageField({ faults, onFaults }: Props) {
  const id = useId()
  const { token } = useFrame()
  const user = useOwnUser()
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { preview, busy, choose, remove } = useOwnImage(onFaults, () => input.current?.focus())
  usePageKept()

  function over(event: DragEvent): void {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    void choose([...event.dataTransfer.files])
  }

  if (!user) return null
  const image = user.image && largeImage(user.image)
  return (
    <div
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`-m-3 flex flex-wrap items-center gap-x-6 gap-y-4 rounded-card border-2 border-dashed p-2.5 ${isOver ? 'border-accent bg-accent-soft' : 'border-transparent'}`}
    >
      <div aria-busy={busy !== null} className="relative">
        <Avatar name={user.name} image={preview ?? image} size={96} />
        {busy && (
          <span className="absolute inset-0 grid place-items-center rounded-full bg-surface/60 text-accent">
            <LoaderCircle
              size={32}
              strokeWidth={1.75}
              aria-hidden="true"
              className="animate-spin motion-reduce:animate-none"
            />
          </span>
        )}
      </div>
      <div className="grid min-w-60 flex-1 gap-2">
        <div className="flex flex-wrap gap-3">
          <form
            method="post"
            action={urls.profileImage}
            encType="multipart/form-data"
            className="flex flex-wrap items-center gap-3"
          >
            <input type="hidden" name="_token" value={token} />
            <input type="hidden" name="_method" value="POST" />
            <input
              ref={input}
              id={id}
              type="file"
              name="file"
              accept={IMAGE_TYPES}
              aria-invalid={faults.length > 0 || undefined}
              aria-describedby={`${id}-help${faults.length > 0 ? ` ${id}-fault` : ''}`}
              onChange={({ currentTarget }) => {
                const files = [...(currentTarget.files ?? [])]
                currentTarget.value = '' // lets the same file be chosen again
                void choose(files)
              }}
              className="peer sr-only file:mr-3 file:min-h-9 file:rounded-control file:border file:border-solid file:border-line-strong file:bg-surface file:px-4 file:font-medium noscript:not-sr-only noscript:order-1 pointer-coarse:file:min-h-11"
            />
            <label
              htmlFor={id}
              className="inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-control border border-line-strong bg-surface px-4 font-medium outline-offset-2 outline-accent peer-focus-visible:outline-2 hover:bg-hover noscript:sr-only pointer-coarse:min-h-11"
            >
              <ImageUp size={16} strokeWidth={1.75} aria-hidden="true" />
              Vælg billede
            </label>
            <noscript className="order-2">
              <Button type="submit" kind="secondary">
                Gem billede
              </Button>
            </noscript>
          </form>
          {user.image && (
            <form
              method="post"
              action={urls.profileImage}
              encType="multipart/form-data"
              onSubmit={(event) => void remove(event)}
            >
              <input type="hidden" name="_token" value={token} />
              <input type="hidden" name="_method" value="DELETE" />
              <Button type="submit" kind="secondary" loading={busy === 'removing'} loadingText="Fjerner…">
                Fjern billede
              </Button>
            </form>
          )}
        </div>
        <p id={`${id}-help`} className="text-meta text-muted">
          JPEG, PNG, WebP eller GIF på højst {formatBytes(MOST_IMAGE_BYTES)}. Kun du selv og kontoret kan se
          det.
          <span className="block noscript:hidden pointer-coarse:hidden">
            Du kan også trække et billede hertil.
          </span>
        </p>
        <div role="alert">
          <Faults id={`${id}-fault`} faults={faults} />
        </div>
        <output className="sr-only">{busy === 'saving' ? 'Gemmer billedet…' : ''}</output>
      </div>
    </div>
  )
}

/** Saves and removes the person's own image, which is shown before it is saved. */
function useOwnImage(onFaults: Props['onFaults'], onRemoved: () => void) {
  const [preview, setPreview] = useState<string | null>(null)
  const [busy, setBusy] = useState<'saving' | 'removing' | null>(null)

  async function choose(files: File[]): Promise<void> {
    const [file] = files
    if (busy || !file) return
    if (files.length > 1) return onFaults([IMAGE_FAULTS.several])
    if (file.size > MOST_IMAGE_BYTES) return onFaults([IMAGE_FAULTS.large])
    const address = URL.createObjectURL(file)
    setPreview(address)
    const data = new FormData()
    data.append('_method', 'POST') // S7.10
    data.append('file', file)
    const image = await change('saving', data)
    if (image) await loaded(largeImage(image)) // or nothing would be seen until it is there
    if (image !== undefined) done(image, 'Dit profilbillede er gemt.')
    setBusy(null)
    setPreview(null)
    URL.revokeObjectURL(address)
  }

  async function remove(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (busy) return
    const image = await change('removing', new FormData(event.currentTarget))
    setBusy(null)
    if (image === undefined) return
    done(image, 'Dit profilbillede er fjernet.')
    onRemoved() // the button that was pressed is gone
  }

  /** The address of what is there now; undefined: nothing has changed. */
  async function change(what: 'saving' | 'removing', data: FormData): Promise<string | null | undefined> {
    setBusy(what)
    onFaults([])
    const answer = await orNull(send('POST', urls.profileImage, data))
    const body = answer && (await orNull(readJson<unknown>(answer)))
    if (answer?.ok && body) return (body as { image: string | null }).image
    const errors = FieldErrors.from(body)
    onFaults(errors.has('file') ? errors.get('file') : [errors.message || OFFLINE])
    return undefined
  }

  function done(image: string | null, said: string): void {
    changeOwnUser({ image })
    showToast(said)
  }

  return { preview, busy, choose, remove }
}

/** Keeps a file dropped beside the field from opening in place of the page. */
function usePageKept(): void {
  useEffect(() => {
    const keep = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    for (const type of ['dragover', 'drop'] as const) addEventListener(type, keep)
    return () => {
      for (const type of ['dragover', 'drop'] as const) removeEventListener(type, keep)
    }
  }, [])
}

async function loaded(address: string): Promise<void> {
  const picture = new Image()
  picture.src = address
  await picture.decode().catch(() => undefined)
}
