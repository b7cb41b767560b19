import { ImageUp, LoaderCircle } from 'lucide-react'
import { useId, useRef, useState, type DragEvent, type FormEvent, type ReactNode } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { FieldErrors } from '../../base/field-errors.ts'
import { IMAGE_FAULTS, IMAGE_TYPES, MOST_IMAGE_BYTES } from '../../base/image.ts'
import { Button } from '../basic/button.tsx'
import { Faults } from '../basic/faults.tsx'
import { useFrame } from '../basic/frame.ts'
import { OFFLINE, orNull, readJson, send } from '../overlay/request.ts'
import { showToast } from '../overlay/toasts.ts'
import { useStayOnPage } from './use-stay-on-page.ts'

type Words = { choose: string; save: string; remove: string; saved: string; removed: string; help: string }

type Props<Image> = {
  /** The address to which the image is posted, and removed with `_method=DELETE`. The server answers `{image}`. */
  action: string
  words: Words
  hasImage: boolean
  /** The image as it is shown. */
  children: ReactNode
  /** The image's shape, for the veil over it meanwhile. */
  shape: string
  /** Called with the address of an image that is chosen and not saved yet, and with null afterwards. */
  onPreview: (address: string | null) => void
  /** Other fields to send along. */
  fields?: Record<string, string>
  faults: string[]
  onFaults: (faults: string[]) => void
  onSaved: (image: Image | null) => void
  /** The address of a saved image, which is loaded before it replaces the preview. */
  addressOf: (image: Image) => string
}

/** S2.9: choose or drop an image; it is shown at once and saved. Without JavaScript this is a plain form. */
export function ImageField<Image>(props: Props<Image>) {
  const { action, words, hasImage, children, shape, fields = {}, faults } = props
  const id = useId()
  const { token } = useFrame()
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { busy, choose, remove } = useImage(props, () => input.current?.focus())
  useStayOnPage()

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

  const hidden = (method: 'POST' | 'DELETE') =>
    Object.entries({ _token: token, _method: method, ...fields }).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))
  return (
    <div
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`-m-3 flex flex-wrap items-center gap-x-6 gap-y-4 rounded-card border-2 border-dashed p-2.5 ${isOver ? 'border-accent bg-accent-soft' : 'border-transparent'}`}
    >
      <div aria-busy={busy !== null} className="relative">
        {children}
        {busy && (
          <span className={`absolute inset-0 grid place-items-center bg-surface/60 text-accent ${shape}`}>
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
            action={action}
            encType="multipart/form-data"
            className="flex flex-wrap items-center gap-3"
          >
            {hidden('POST')}
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
              {words.choose}
            </label>
            <noscript className="order-2">
              <Button type="submit" kind="secondary">
                {words.save}
              </Button>
            </noscript>
          </form>
          {hasImage && (
            <form
              method="post"
              action={action}
              encType="multipart/form-data"
              onSubmit={(event) => void remove(event)}
            >
              {hidden('DELETE')}
              <Button type="submit" kind="secondary" loading={busy === 'removing'} loadingText="Fjerner…">
                {words.remove}
              </Button>
            </form>
          )}
        </div>
        <p id={`${id}-help`} className="text-meta text-muted">
          JPEG, PNG, WebP eller GIF på højst {formatBytes(MOST_IMAGE_BYTES)}. {words.help}
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

/** Saves and removes the image, which is shown before it is saved. */
function useImage<Image>(
  { action, words, fields = {}, onPreview, onFaults, onSaved, addressOf }: Props<Image>,
  onRemoved: () => void,
) {
  const [busy, setBusy] = useState<'saving' | 'removing' | null>(null)

  async function choose(files: File[]): Promise<void> {
    const [file] = files
    if (busy || !file) return
    if (files.length > 1) return onFaults([IMAGE_FAULTS.several])
    if (file.size > MOST_IMAGE_BYTES) return onFaults([IMAGE_FAULTS.large])
    const address = URL.createObjectURL(file)
    onPreview(address)
    const data = new FormData()
    for (const [name, value] of Object.entries({ _method: 'POST', ...fields })) data.append(name, value) // S7.10
    data.append('file', file)
    const image = await change('saving', data)
    if (image) await loaded(addressOf(image)) // or nothing would be seen until it is there
    if (image !== undefined) done(image, words.saved)
    setBusy(null)
    onPreview(null)
    URL.revokeObjectURL(address)
  }

  async function remove(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (busy) return
    const image = await change('removing', new FormData(event.currentTarget))
    setBusy(null)
    if (image === undefined) return
    done(image, words.removed)
    onRemoved() // the pressed button is removed
  }

  /** Returns the current image, or undefined if nothing has changed. */
  async function change(what: 'saving' | 'removing', data: FormData): Promise<Image | null | undefined> {
    setBusy(what)
    onFaults([])
    const answer = await orNull(send('POST', action, data))
    const body = answer && (await orNull(readJson<unknown>(answer)))
    if (answer?.ok && body) return (body as { image: Image | null }).image
    const errors = FieldErrors.from(body)
    onFaults(errors.has('file') ? errors.get('file') : [errors.message || OFFLINE])
    return undefined
  }

  function done(image: Image | null, said: string): void {
    onSaved(image)
    showToast(said)
  }

  return { busy, choose, remove }
}

async function loaded(address: string): Promise<void> {
  const picture = new Image()
  picture.src = address
  await picture.decode().catch(() => undefined)
}
