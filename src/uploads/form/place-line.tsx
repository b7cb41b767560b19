import type { MouseEvent } from 'react'
import { seenByText } from '../../access/lent.ts'
import { sharingText } from '../../projects/sharing.tsx'
import { carryTo } from '../../ui/basic/next-page.ts'
import { isPlainClick } from '../../ui/basic/plain-click.ts'
import { jsonBody, OFFLINE, orNull, send } from '../../ui/overlay/request.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { urls } from '../../urls.ts'
import type { UploadForm } from '../pile/pile.ts'
import type { Upload } from '../transport/upload.ts'
import type { PileKeeper } from '../unsaved/pile-keeper.ts'

type Props = {
  form: UploadForm
  uploads: readonly Upload[]
  keeper: PileKeeper | null
  /** Whether the place may still be let go of: not while the files are saved in it. */
  mayLetGo: boolean
}

/** Says where the form begins, and lets go of that place: the files come along to the form that takes all. */
export function PlaceLine({ form, uploads, keeper, mayLetGo }: Props) {
  const place = placeText(form)
  if (form.kind === 'folders' && !form.project)
    return uploads.length === 0 && <p className="-mt-2 text-muted sm:-mt-4">{RULE}</p>
  if (place === null) return null

  function letGo(event: MouseEvent): void {
    const files = uploads.flatMap(({ file }) => file ?? [])
    // Files of an earlier page cannot come along: the browser asks before it leaves them.
    if (!isPlainClick(event) || files.length === 0 || files.length < uploads.length) return
    event.preventDefault()
    void carry(files)
  }

  async function carry(files: File[]): Promise<void> {
    if (!(await carryTo(urls.upload, files))) return showToast(OFFLINE, { kind: 'fault' })
    if (keeper)
      await orNull(send('POST', urls.discardPile, jsonBody({ form: keeper.form, piles: [keeper.key] })))
  }

  return (
    <p className="-mt-2 text-muted wrap-anywhere sm:-mt-4">
      {place}
      {mayLetGo && (
        <>
          {' · '}
          <a href={urls.upload} onClick={letGo} className="text-accent underline underline-offset-2">
            alle projekter og personer i stedet
          </a>
        </>
      )}
    </p>
  )
}

const RULE =
  'Nummeret i navnet lægger filen på plads: ”Årsrapport (1024) 2025.pdf”, ”Årsopgørelse (2001) 2025.pdf”.'

/** 'Til K/S Nordhavn Kontorhus': null if the form can only have this place. */
function placeText(form: UploadForm): string | null {
  if (form.kind === 'manual') {
    const { project, folder } = form
    const seenBy = sharingText(folder.visible_to_investors, project.has_auditor)
    return `Til ${folder.name} i ${project.name} · ${seenBy}`
  }
  if (form.kind === 'person')
    return `Til ${form.user.name} · ${seenByText(form.user.name, form.user.readers)}`
  if (form.kind === 'users') return 'Til investorer, efter nummeret i parentesen'
  return form.kind === 'folders' && form.project ? `Til ${form.project.name}` : null
}
