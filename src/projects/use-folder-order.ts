import { useState } from 'react'
import { orNull, readJson, send } from '../ui/overlay/request.ts'
import { showToast } from '../ui/overlay/toasts.ts'
import { urls } from '../urls.ts'
import type { Folder, FolderMove } from './folder.ts'

/** Moves folders, by one place or by dragging. A row moves only after the server has answered. */
export function useFolderOrder(address: string, folders: Folder[], onOrder: (folders: Folder[]) => void) {
  const [busy, setBusy] = useState<number | null>(null)
  const [moved, setMoved] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')

  async function move(id: number, to: FolderMove): Promise<void> {
    if (busy !== null) return
    setBusy(id)
    const form = new FormData()
    if (typeof to === 'string') form.set('to', to)
    else form.set('after', to.after === null ? '' : String(to.after))
    const response = await orNull(send('POST', urls.moveFolder(address, id), form))
    const body =
      response && (await orNull(readJson<{ folders?: Folder[]; message?: string } | null>(response)))
    setBusy(null)
    if (body?.folders) onOrder(body.folders) // also after a refusal: somebody else changed them
    if (!response?.ok || !body?.folders)
      return showToast(body?.message || 'Mappen kunne ikke flyttes. Prøv igen om lidt.', { kind: 'fault' })
    setMoved(id)
    const place = body.folders.findIndex((folder) => folder.id === id)
    const { name } = body.folders[place]!
    return setAnnouncement(`${name} er flyttet til plads ${place + 1} af ${body.folders.length}.`)
  }

  return {
    busy,
    moved,
    announcement,
    move: (from: number, to: number | 'up' | 'down') => {
      const { id } = folders[from]!
      if (typeof to === 'string') return void move(id, to)
      const rest = folders.filter((folder) => folder.id !== id)
      return void move(id, { after: rest[to - 1]?.id ?? null })
    },
  }
}
