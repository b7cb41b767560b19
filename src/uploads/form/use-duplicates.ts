import { useEffect, useEffectEvent, useMemo } from 'react'
import { jsonBody, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import { findingsOf, type Duplicate, type Findings } from '../pile/duplicate.ts'
import type { FormState, Tell } from '../pile/form-state.ts'
import type { Group } from '../pile/pile.ts'
import type { Upload } from '../transport/upload.ts'

/** How long to wait before asking, so that a pile being sent is not asked about file by file. */
const PAUSE_MS = 400

/** Asks which files exist already: once when their place is known, and again when their bytes have arrived. */
export function useDuplicates(
  groups: Group[],
  { found }: FormState,
  tell: Tell,
): { findings: Findings; isAsking: boolean } {
  const open = useMemo(
    () =>
      groups.flatMap(({ key, target, uploads }) =>
        uploads.flatMap((upload) => {
          const asked = questionOf(key, upload)
          return found.get(upload.id)?.for === asked ? [] : [{ asked, upload, target }]
        }),
      ),
    [groups, found],
  )

  const ask = useEffectEvent(async () => {
    const files = open.map(({ upload: { id, name, hashName }, target: { folder, user } }) => ({
      id,
      name,
      ...(folder && { folder_id: folder.id }),
      ...(user && { user_id: user.id }),
      ...(hashName && { data: hashName }),
    }))
    const response = await orNull(send('POST', urls.findDuplicates, jsonBody({ files })))
    const answer = response?.ok ? await orNull(readJson<{ data: Record<string, Duplicate> }>(response)) : null
    // The warning only helps: the form works without it.
    tell({
      type: 'compared',
      found: open.map(({ asked, upload: { id } }) => [id, { ...(answer?.data[id] ?? NOTHING), for: asked }]),
    })
  })
  // Does not change with progress, which would restart the pause for as long as files are being sent.
  const which = open.length > 0 ? `${open.length} ${open[0]!.asked}` : null
  useEffect(() => {
    if (which === null) return undefined
    const pause = setTimeout(() => void ask(), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [which])

  return {
    findings: useMemo(() => findingsOf(groups, found), [groups, found]),
    /** Whether a file that is ready to save may exist already. */
    isAsking: open.some(({ upload }) => upload.state === 'sent'),
  }
}

const NOTHING: Duplicate = { same_name: false, replaces: null, same_bytes: null, sha256: null }

const questionOf = (group: string, { name, hashName }: Upload) => `${group}\n${name}\n${hashName ?? ''}`
