import { useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef, useState } from 'react'
import type { FilesScreen, Picked } from '../screen/use-files-screen.ts'
import { neighbourOf, pageAt, placeIn, type Step } from './walk.ts'

/** A few presses are remembered while a page is fetched. */
const MOST_WAITING = 5

/** Goes from the file that is shown to its neighbours. `onShow` gets null when there is nothing left to show. */
export function useWalk(screen: FilesScreen, shown: Picked, onShow: (picked: Picked | null) => void) {
  const { file, folder } = shown
  const [announcement, setAnnouncement] = useState('')
  const latest = useRef<Picked | null>(shown)
  const walking = useRef(Promise.resolve())
  const waiting = useRef(0)
  const place = placeIn(screen.sections.get(folder.id), file.id)
  /** Where the file was when it was last known. */
  const seenAt = useRef<number | null>(null)

  useLayoutEffect(() => {
    latest.current = shown
    return () => void (latest.current = null)
  }, [shown])
  useLayoutEffect(() => {
    if (place) seenAt.current = place.nth - 1
  })
  useHeldPage(screen, folder.id, place && pageAt(place.nth - 1))

  /** Takes one step after the other: a held key presses faster than the panel is drawn or a page is fetched. */
  function walk(step: Step): void {
    if (waiting.current >= MOST_WAITING) return
    waiting.current++
    const after = walking.current.catch(() => undefined) // a fault of one step, which the page tells of
    walking.current = after.then(() => go(step)).finally(() => waiting.current--)
  }

  async function go(step: Step): Promise<void> {
    const from = latest.current
    const walked = from && screen.sections.get(from.folder.id)
    if (!from || !walked) return
    const next = await neighbourOf(walked, { file: from.file, at: seenAt.current }, step, screen.gone)
    if (latest.current !== from) return // it is closed, or another file was pressed
    if (!next) return setAnnouncement(step > 0 ? 'Det er mappens sidste fil.' : 'Det er mappens første fil.')
    seenAt.current = next.at
    onShow((latest.current = { file: next.file, folder: from.folder }))
    setAnnouncement(`Viser ${next.file.name}`)
  }

  /** Goes on to another file when this one has been deleted or moved away. */
  const leave = useEffectEvent(async () => {
    const walked = screen.sections.get(folder.id)
    const from = { file, at: seenAt.current }
    const next =
      walked &&
      ((await neighbourOf(walked, from, 1, screen.gone)) ??
        (await neighbourOf(walked, from, -1, screen.gone)))
    onShow(next ? { file: next.file, folder } : null)
  })
  const isGone = screen.gone.has(file.id)
  useEffect(() => {
    if (isGone) void leave()
  }, [isGone])

  return { walk, place, announcement }
}

/** Somebody else's change fetches the list again. Keeps the page of the shown file, from which the walk continues. */
function useHeldPage({ sections }: FilesScreen, folder: number, page: number | null): void {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    const files = sections.get(folder)?.files
    files?.hold({ page, onChange: drawAgain })
    return () => files?.hold(null)
  }, [sections, folder, page])
}
