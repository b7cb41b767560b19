import { useState } from 'react'
import { FieldErrors } from '../../base/field-errors.ts'
import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { ProgressBar } from '../../ui/basic/progress-bar.tsx'
import { Dropzone } from '../../ui/drag/dropzone.tsx'
import { OFFLINE, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'

const TYPES = '.xlsx,.csv,.txt,text/csv'

/** Accepts a filled-in sheet, dropped or chosen, and continues to its preview. Without JavaScript this is a plain form. */
export function SheetField({ faults: atFirst }: { faults: string[] }) {
  const { token } = useFrame()
  const [faults, setFaults] = useState(atFirst)
  const [sending, setSending] = useState<string | null>(null)

  async function take(files: File[]): Promise<void> {
    const [file] = files
    if (!file || sending !== null) return
    if (files.length > 1) return setFaults(['Vælg ét ark ad gangen.'])
    setFaults([])
    setSending(file.name)
    const data = new FormData()
    data.append('file', file)
    const answer = await orNull(send('POST', urls.import, data))
    const body = answer && (await orNull(readJson<{ redirect?: string }>(answer)))
    if (answer?.ok && body?.redirect) return location.assign(body.redirect)
    setSending(null)
    const errors = FieldErrors.from(body)
    return setFaults(errors.has('file') ? errors.get('file') : [errors.message || OFFLINE])
  }

  return (
    <div className="grid gap-3">
      {sending === null ? (
        <Dropzone
          onFiles={(files) => void take(files)}
          message="Træk arket hertil"
          choose="Vælg ark"
          accept={TYPES}
          isCompact
          isWholePage
        />
      ) : (
        <ProgressBar label={`Læser ${sending}…`} />
      )}
      <noscript>
        <form
          method="post"
          action={urls.import}
          encType="multipart/form-data"
          className="flex flex-wrap items-center gap-3"
        >
          <input type="hidden" name="_token" value={token} />
          <input type="file" name="file" accept={TYPES} aria-label="Ark" className="min-w-0 max-w-full" />
          <Button type="submit" kind="secondary">
            Læg op
          </Button>
        </form>
      </noscript>
      <div role="alert">
        <Faults id="sheet-fault" faults={faults} />
      </div>
    </div>
  )
}
