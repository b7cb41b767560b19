import { useEffect, useEffectEvent, useState } from 'react'
import type { Reach } from '../../releases/release/release.ts'
import { jsonBody, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import type { Group } from '../pile/pile.ts'

/** How long to wait before asking, so that a growing pile is not asked about folder by folder. */
const PAUSE_MS = 400

/** Asks whom the files reach outside the office. Null until the server has answered. */
export function useReach(groups: readonly Group[], isAsked: boolean): Reach | null {
  const [known, setKnown] = useState<{ key: string; reach: Reach } | null>(null)
  const folders = groups.flatMap(({ target: { folder } }) => folder?.id ?? []).sort((a, b) => a - b)
  const users = groups.flatMap(({ target: { folder, user } }) => (folder ? [] : (user?.id ?? [])))
  const key = `${folders.join()} ${users.sort((a, b) => a - b).join()}`

  const ask = useEffectEvent(async (isDropped: () => boolean) => {
    const response = await orNull(send('POST', urls.findReach, jsonBody({ folders, users })))
    const reach = response?.ok ? await orNull(readJson<Reach>(response)) : null
    if (reach && !isDropped()) setKnown({ key, reach })
  })
  useEffect(() => {
    if (!isAsked || key === ' ') return undefined
    let isDropped = false
    const pause = setTimeout(() => void ask(() => isDropped), PAUSE_MS)
    return () => {
      isDropped = true
      clearTimeout(pause)
    }
  }, [isAsked, key])

  return known?.key === key ? known.reach : null
}
