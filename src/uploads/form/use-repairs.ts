import { useRef, useState } from 'react'
import { countFiles } from '../../projects/folder.ts'
import type { Ignored, UploadForm } from './pile.ts'
import { isSameFault, repaired, sameFor, type Repair } from './repair.ts'
import type { Upload } from '../transport/upload.ts'
import type { UploadQueue } from '../transport/upload-queue.ts'

/** The last repair, which can be repeated for other files or undone. */
type Done = { ignored: Ignored; how: Repair; before: ReadonlyMap<string, string>; text: string }

/** Repairs a name, then all others with the same fault, and undoes it. */
export function useRepairs(
  form: UploadForm,
  ignored: Ignored[],
  queue: UploadQueue,
  uploads: readonly Upload[],
) {
  const [latest, setDone] = useState<Done | null>(null)
  const said = useRef<HTMLOutputElement>(null)
  // Shows nothing about a file that has been removed meanwhile.
  const done = latest && uploads.some(({ id }) => id === latest.ignored.upload.id) ? latest : null
  const others = done ? ignored.filter((each) => isSameFault(done.ignored, each)) : []
  // The focused element is gone with its row; this one is always in view.
  const tell = () => requestAnimationFrame(() => said.current?.focus({ preventScroll: true }))

  function repair(each: Ignored, how: Repair): void {
    const { id, name: before } = each.upload
    const name = repaired(form, before, how)
    if (!queue.rename(new Map([[id, name]]))) return
    setDone({ ignored: each, how, before: new Map([[id, before]]), text: `”${before}” hedder nu ”${name}”.` })
    tell()
  }

  function repairOthers(): void {
    if (!done) return
    const { name } = done.ignored.upload
    const names = new Map(
      others.map(({ upload }) => [
        upload.id,
        repaired(form, upload.name, sameFor(upload.name, { name, repair: done.how })),
      ]),
    )
    if (!queue.rename(names)) return
    const before = new Map([...done.before, ...others.map(({ upload }) => [upload.id, upload.name] as const)])
    setDone({ ...done, before, text: `${countFiles(before.size)} har fået et nyt navn.` })
    tell()
  }

  function undo(): void {
    if (!done || !queue.rename(done.before)) return
    setDone({
      ...done,
      before: new Map(),
      text: `${countFiles(done.before.size)} har fået deres gamle navn igen.`,
    })
    tell()
  }

  return { done, others, said, repair, repairOthers, undo }
}

export type Repairs = ReturnType<typeof useRepairs>
