import { useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { countFiles } from '../../projects/folder.ts'
import type { Group, Ignored, Misplaced, Pile, UploadForm } from '../pile/pile.ts'
import { standingOfIgnored } from '../pile/attention.ts'
import { isSameFault, repaired, sameFor, type Repair } from '../pile/repair.ts'
import type { Upload } from '../transport/upload.ts'
import type { UploadQueue } from '../transport/upload-queue.ts'

/** The last repair, which can be repeated for other files or undone. */
type Done = {
  misplaced: Misplaced
  /** 'proposed' if the name that Ringbind proposed was accepted; 'instead' if papers led their files elsewhere. */
  how: Repair | 'proposed' | 'instead'
  before: ReadonlyMap<string, string>
  text: string
  isRemembered?: boolean
  isAutomatic?: boolean
}

/** A name that an administrator can let Ringbind remember: a text that led nowhere, and the folder that it means. */
export type SubName = {
  text: string
  folder: NonNullable<Group['target']['folder']>
  project: { id: number; number: string }
}

/** Repairs a name, then all others with the same fault, and undoes it. `sure` are accepted at once, each only once. */
export function useRepairs(
  form: UploadForm,
  { ignored, groups }: Pick<Pile, 'ignored' | 'groups'>,
  queue: UploadQueue,
  uploads: readonly Upload[],
  sure: readonly Ignored[],
) {
  const [latest, setDone] = useState<Done | null>(null)
  useSurePlacing(sure, queue, setDone)
  const status = useRef<HTMLOutputElement>(null)
  // Shows nothing about a file that has been removed meanwhile.
  const done = latest && uploads.some(({ id }) => id === latest.misplaced.upload.id) ? latest : null
  const others = done ? ignored.filter((each) => isAlike(done, each)) : []
  // The focused element was removed with its row; this one is always in view.
  const tell = () => requestAnimationFrame(() => status.current?.focus({ preventScroll: true }))

  function rename(misplaced: Misplaced, how: Done['how'], name: string): void {
    const { id, name: before } = misplaced.upload
    if (!queue.rename(new Map([[id, name]]))) return
    const text = `”${before}” hedder nu ”${name}”.`
    setDone({ misplaced, how, before: new Map([[id, before]]), text })
    tell()
  }

  const repair = (misplaced: Misplaced, how: Repair) =>
    rename(misplaced, how, repaired(form, misplaced.upload.name, how))

  /** Gives a file the name that Ringbind has proposed. */
  function accept(each: Ignored): void {
    if (each.proposal !== null) rename(each, 'proposed', each.proposal)
  }

  /** Gives a file a name that its paper proposes. */
  const acceptName = (each: Ignored, name: string) => rename(each, 'proposed', name)

  /** Repairs several files at once; `done` describes the repair of the first. */
  function renameMany(all: readonly Ignored[], to: Done): void {
    const names = new Map(all.map((each) => [each.upload.id, nextName(form, each, to)]))
    if (!queue.rename(names)) return
    const before = new Map([...to.before, ...all.map(({ upload }) => [upload.id, upload.name] as const)])
    setDone({ ...to, before, text: `${countFiles(before.size)} har fået et nyt navn.` })
    tell()
  }

  /** Repairs several files with the same fault, or gives them the names that Ringbind has proposed. */
  function repairAll(all: readonly Ignored[], how: Repair | 'proposed'): void {
    const [first] = all
    if (first) renameMany(all, { misplaced: first, how, before: new Map(), text: '' })
  }

  const acceptAll = (all: readonly Ignored[]) =>
    repairAll(
      all.filter(({ proposal }) => proposal !== null),
      'proposed',
    )

  /** Gives files that had a place the names that lead where their papers belong. */
  function putInstead(moved: readonly { upload: Upload; name: string }[]): void {
    const [first] = moved
    if (!first || !queue.rename(new Map(moved.map(({ upload, name }) => [upload.id, name])))) return
    const before = new Map(moved.map(({ upload }) => [upload.id, upload.name]))
    const text =
      moved.length === 1
        ? `”${first.upload.name}” er lagt, hvor den hører til, og hedder nu ”${first.name}”.`
        : `${countFiles(moved.length)} er lagt, hvor de hører til.`
    setDone({ misplaced: { upload: first.upload, fault: null }, how: 'instead', before, text })
    tell()
  }

  function undo(): void {
    if (!done || !queue.rename(done.before)) return
    setDone({
      ...done,
      before: new Map(),
      text: `${countFiles(done.before.size)} har deres gamle navn igen.`,
    })
    tell()
  }

  return {
    done,
    others,
    status,
    repair,
    accept,
    acceptName,
    acceptAll,
    repairAll,
    putInstead,
    repairOthers: () => done && renameMany(others, done),
    undo,
    subName: done && !done.isRemembered ? subNameOf(done, groups) : null,
    close: () => setDone(null),
    /** Offers no longer to remember it. */
    markRemembered: () => setDone((before) => before && { ...before, isRemembered: true }),
  }
}

/** Accepts the proposals for sure papers, each only once. Nobody has pressed, so the focus stays. */
function useSurePlacing(
  sure: readonly Ignored[],
  queue: UploadQueue,
  setDone: Dispatch<SetStateAction<Done | null>>,
): void {
  const placed = useRef(new Set<string>())
  useEffect(() => {
    const fresh = sure.filter(({ upload }) => !placed.current.has(upload.id))
    const [first] = fresh
    if (!first || !queue.rename(new Map(fresh.map((each) => [each.upload.id, each.proposal!])))) return
    for (const { upload } of fresh) placed.current.add(upload.id)
    const names = fresh.map(({ upload }) => [upload.id, upload.name] as const)
    setDone((latest) => {
      // Papers are read one by one, and undone together.
      const before = new Map([...(latest?.isAutomatic ? latest.before : []), ...names])
      const text = `${formatCount(before.size)} ${before.size === 1 ? 'papir' : 'papirer'} er lagt på plads.`
      return { misplaced: first, how: 'proposed', before, text, isAutomatic: true }
    })
  }, [sure, queue, setDone])
}

function isAlike({ misplaced, how }: Done, other: Ignored): boolean {
  if (how === 'instead') return false
  if (how === 'proposed') return other.proposal !== null && isSure(other) === isSure(misplaced)
  const { upload, fault } = misplaced
  return fault !== null && isSameFault({ upload, fault }, other)
}

/** A certain paper and a name that nearly follows the rule are accepted apart. */
const isSure = (each: Misplaced | Ignored) => 'proposal' in each && standingOfIgnored(each).group === 'sure'

function nextName(form: UploadForm, { upload, proposal }: Ignored, { misplaced, how }: Done): string {
  if (how === 'proposed' || how === 'instead') return proposal ?? upload.name
  return repaired(form, upload.name, sameFor(upload.name, { name: misplaced.upload.name, repair: how }))
}

/** Finds the text that a person has just said belongs to another folder of its project. A misspelt one is not worth remembering. */
function subNameOf(
  { misplaced: { upload, fault }, how, before }: Done,
  groups: readonly Group[],
): SubName | null {
  if (fault?.kind !== 'folder' || fault.near !== null || typeof how === 'string' || !before.has(upload.id))
    return null
  const target = groups.find(({ uploads }) => uploads.some(({ id }) => id === upload.id))?.target
  const { folder, project } = target ?? {}
  return folder && project?.id === fault.projectId ? { text: fault.folder, folder, project } : null
}

export type Repairs = ReturnType<typeof useRepairs>
