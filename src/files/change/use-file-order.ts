import { useCallback, useEffect, useRef, useState } from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { countFiles } from '../../projects/folder.ts'
import { jsonBody, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { useLatest } from '../../ui/live/use-latest.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { fileUrls } from '../../urls.ts'
import { fileAt, filesBetween, indexOf, missingPages, movedTogether } from '../screen/file-pages.ts'
import { SHOWN_FILES, type ListedFile } from '../file/stored-file.ts'
import { useFilesScreen } from '../screen/use-files-screen.ts'
import { selected } from '../select/selected.ts'
import type { ActAnswer } from '../screen/post-act.ts'
import { tellAct } from '../screen/tell-act.ts'
import type { useFolderFiles } from '../screen/use-folder-files.ts'

const FAILED = 'Filen kunne ikke flyttes. Prøv igen om lidt.'

/** Moves files within a folder, by one place or by dragging. A row moves only after the server has answered: S4.10. */
export function useFileOrder(folderId: number, files: ReturnType<typeof useFolderFiles>) {
  const { owner } = useFilesScreen()
  const [busy, setBusy] = useState<number | null>(null)
  const [changed, setChanged] = useState<number | null>(null)
  const keepUnderPointer = useKeptButton(busy !== null)
  const latestRefresh = useLatest(files.refresh)
  const { known } = files

  /** Returns the answer if the server made the move. Fetches the folder again if it refused. */
  async function ask(url: string, body?: BodyInit): Promise<ActAnswer | null> {
    const response = await orNull(send('POST', url, body))
    const answer = response && (await orNull(readJson<ActAnswer>(response)))
    if (response?.ok && answer?.success) return answer
    if (!response?.ok || !answer) showToast(answer?.message ?? FAILED, { kind: 'fault' })
    if (answer) await files.refresh()
    return null
  }

  async function done(
    answer: ActAnswer | null,
    file: ListedFile,
    from: number,
    to: number,
    count = 1,
  ): Promise<void> {
    if (!answer) return
    setChanged(file.id)
    const said = count > 1 ? countFiles(count) : file.name
    tellAct(`${said}: Flyttet til plads ${formatCount(to + 1)} af ${formatCount(known.total)}`, answer.undo, {
      label: `Fortryd flytning af ${said}`,
      about: 'order',
      onOver: () => latestRefresh.current(),
    })
    if (to >= SHOWN_FILES) files.setOpen(true) // otherwise the row would be hidden
    await (count > 1 ? files.refresh() : files.move(file.id, from, to))
  }

  async function step(file: ListedFile, from: number, way: 'up' | 'down'): Promise<void> {
    const url = way === 'up' ? fileUrls.moveUp(owner, file.id) : fileUrls.moveDown(owner, file.id)
    await done(await ask(url), file, from, way === 'up' ? from - 1 : from + 1)
  }

  /** Dragging a selected file also moves the other selected files of its folder, as far as they have been fetched. */
  async function drag(file: ListedFile, from: number, to: number): Promise<void> {
    const others = selected.has(file.id) ? [...selected.now().items.keys()] : []
    const places = [file.id, ...others].map((id) => indexOf(known, id)).filter((place) => place >= 0)
    const [low, high] = [Math.min(to, ...places), Math.max(to, ...places)]
    const ids = new Set(places.map((place) => fileAt(known, place)!.id))
    const missing = missingPages(known, low, high)
    const now = missing.length > 0 ? await files.ensure(missing) : known
    const part = now ? filesBetween(now, low, high) : []
    if (!now || part.length !== high - low + 1 || part[from - low]?.id !== file.id) {
      showToast(FAILED, { kind: 'fault' })
      return void files.refresh()
    }
    const gap = (to > from ? to + 1 : to) - low
    const newOrder = movedTogether(part, ({ id }) => ids.has(id), gap).map(({ id }) => id)
    const answer = await ask(fileUrls.updateOrder(owner, folderId), jsonBody({ newOrder }))
    await done(answer, file, from, newOrder.indexOf(file.id) + low, ids.size)
  }

  async function move(from: number, to: number | 'up' | 'down'): Promise<void> {
    const file = fileAt(known, from)
    if (busy !== null || !file) return
    keepUnderPointer(file.id, typeof to === 'string' ? document.activeElement : null)
    setBusy(file.id)
    await (typeof to === 'number' ? drag(file, from, to) : step(file, from, to))
    setBusy(null)
  }

  // Never changes, so that a row is drawn again only when it changes itself.
  const latest = useLatest(move)
  const onMove = useCallback((...args: Parameters<typeof move>) => void latest.current(...args), [latest])

  return { busy, changed, onMove }
}

type Pressed = { file: number; act: string | null; top: number; scrolled: number }

/**
 * Gives a row's button the focus again after its row was moved and perhaps created anew elsewhere in a long list. The
 * button also stays under the pointer, so that a second click moves the same file again.
 */
function useKeptButton(isBusy: boolean): (file: number, button: Element | null) => void {
  const pressed = useRef<Pressed | null>(null)
  useEffect(() => {
    if (isBusy || !pressed.current) return
    const { file, act, top, scrolled } = pressed.current
    pressed.current = null
    if (scrollY !== scrolled) return // the user has moved on meanwhile
    const button = act && document.querySelector<HTMLElement>(`[data-file="${file}"] [data-act="${act}"]`)
    if (!button) return
    if (document.activeElement === document.body) button.focus({ preventScroll: true })
    if (document.activeElement === button)
      scrollBy({ top: button.getBoundingClientRect().top - top, behavior: 'instant' })
  }, [isBusy])
  return (file, button) => {
    pressed.current = {
      file,
      act: button?.getAttribute('data-act') ?? null,
      top: button?.getBoundingClientRect().top ?? 0,
      scrolled: scrollY,
    }
  }
}
