import { useState } from 'react'
import { may } from '../../rights.ts'
import { Button } from '../../ui/basic/button.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { jsonBody, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { urls } from '../../urls.ts'
import { focusSoon } from '../pile/focus-after-removal.ts'
import type { Repairs, SubName } from './use-repairs.ts'

type Props = {
  repairs: Pick<Repairs, 'done' | 'others' | 'repairOthers' | 'undo' | 'subName' | 'close'>
  status: Repairs['status']
  /** Called when a folder has got a new sub name. */
  onRemembered: (subName: SubName) => void
}

/** Shows the last repair, and offers to repeat it for other files, to undo it, or to remember it. */
export function RepairStrip({
  repairs: { done, others, repairOthers, undo, subName, close },
  status,
  onRemembered,
}: Props) {
  const { role } = useFrame().user!
  if (!done) return null
  return (
    <output
      ref={status}
      tabIndex={-1}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-line bg-ok-soft px-4 py-1 shadow-lg"
    >
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{done.text}</span>
      {done.before.size > 0 && others.length > 0 && (
        <Button type="button" onClick={repairOthers}>
          Gør det samme for {others.length === 1 ? 'den anden' : `de andre ${others.length}`}
        </Button>
      )}
      {done.before.size > 0 && (
        <Button type="button" kind="secondary" onClick={undo}>
          Fortryd
        </Button>
      )}
      {subName && may(role, 'editProjects') && (
        <Remember
          key={`${subName.folder.id} ${subName.text}`}
          subName={subName}
          onRemembered={() => onRemembered(subName)}
        />
      )}
      <IconButton
        label="Luk"
        icon="remove"
        onClick={() => {
          close()
          focusSoon('[data-open] button', '[data-act=save]')
        }}
      />
    </output>
  )
}

/** Lets an administrator keep a text as a sub name, so that the next file with it finds its folder by itself. */
function Remember({
  subName: { text, folder, project },
  onRemembered,
}: {
  subName: SubName
  onRemembered: () => void
}) {
  const [isSaving, setSaving] = useState(false)
  async function remember(isInTemplate: boolean): Promise<void> {
    setSaving(true)
    const address = urls.addSubName(project.id, folder.id)
    const response = await orNull(send('POST', address, jsonBody({ name: text, template: isInTemplate })))
    if (response?.ok) {
      showToast(`”${text}” er nu et undernavn til ${folder.name}.`)
      return onRemembered()
    }
    const body = response ? await orNull(readJson<{ message?: string }>(response)) : null
    showToast(body?.message ?? 'Undernavnet kunne ikke gemmes. Prøv igen.', { kind: 'fault' })
    return setSaving(false)
  }
  return (
    <span className="flex w-full flex-wrap items-center gap-x-3 gap-y-2">
      <span className="min-w-0 wrap-anywhere">
        Husk ”{text}” som undernavn til {folder.name}:
      </span>
      <Button type="button" kind="secondary" loading={isSaving} onClick={() => void remember(false)}>
        I projekt {project.number}
      </Button>
      <Button type="button" kind="secondary" loading={isSaving} onClick={() => void remember(true)}>
        Også i skabelonen
      </Button>
    </span>
  )
}
