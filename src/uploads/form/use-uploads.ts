import { useState, useSyncExternalStore } from 'react'
import { transportBy } from '../transport/transport.ts'
import { UploadQueue } from '../transport/upload-queue.ts'
import type { Limits } from '../transport/upload.ts'
import { WIDGET, type Widget } from '../transport/widget.ts'

type Options = {
  limits: Limits
  /** Whether large files go straight to the store. */
  isDirect: boolean
  /** The name that a dropped file gets at first. */
  nameOf: (name: string) => string
  widget?: Partial<Widget>
}

/** The page's queue of files, drawn again when it changes. */
export function useUploads({ limits, isDirect, nameOf, widget: own }: Options) {
  const [{ queue, widget }] = useState(() => {
    const all = { ...WIDGET, ...own, maxFileBytes: limits.bytes }
    const transport = transportBy(all, isDirect)
    return { widget: all, queue: new UploadQueue({ limits, widget: all, transport, nameOf }) }
  })
  return { queue, widget, ...useSyncExternalStore(queue.subscribe, queue.get, queue.get) }
}
