import { useRef, useState } from 'react'
import type { Ignored, UploadForm } from './pile.ts'
import type { Fault } from './placing.ts'
import { isSameFault, repaired, sameFor, type Repair } from './repair.ts'
import { countFiles } from '../projects/folder.ts'
import type { Uploads } from './use-uploads.ts'

/** What was put right last, so that the same can be done for others, or undone. */
type Done = { name: string; repair: Repair; fault: Fault; before: Map<string, string>; said: string }

/** Puts names right: one, then all others with the same fault, and back again. */
export function useRepairs(form: UploadForm, ignored: Ignored[], { rename }: Uploads) {
  const [done, setDone] = useState<Done | null>(null)
  const said = useRef<HTMLOutputElement>(null)
  const others = done ? ignored.filter(({ fault }) => isSameFault(done.fault, fault)) : []
  // What had the focus is gone with its row.
  const tell = () => requestAnimationFrame(() => said.current?.focus())

  function repair({ upload, fault }: Ignored, how: Repair): void {
    const name = repaired(form, upload.name, how)
    rename(new Map([[upload.id, name]]))
    setDone({
      name: upload.name,
      repair: how,
      fault,
      before: new Map([[upload.id, upload.name]]),
      said: `“${upload.name}” hedder nu “${name}”.`,
    })
    tell()
  }

  function repairOthers(): void {
    if (!done) return
    const names = others.map(
      ({ upload: { id, name } }) => [id, repaired(form, name, sameFor(name, done))] as const,
    )
    rename(new Map(names))
    const before = new Map([...done.before, ...others.map(({ upload }) => [upload.id, upload.name] as const)])
    setDone({ ...done, before, said: `${countFiles(before.size)} har fået et nyt navn.` })
    tell()
  }

  function undo(): void {
    if (!done) return
    rename(done.before)
    setDone({ ...done, before: new Map(), said: `${countFiles(done.before.size)} hedder igen som før.` })
    tell()
  }

  return { done, others, said, repair, repairOthers, undo }
}

export type Repairs = ReturnType<typeof useRepairs>
