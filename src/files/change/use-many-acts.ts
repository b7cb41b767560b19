import type { FileOwner } from '../../access/reader.ts'
import { countFiles } from '../../projects/folder.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { fileUrls } from '../../urls.ts'
import type { Picked } from '../screen/use-files-screen.ts'
import { listAll } from '../select/list-all.ts'
import { selected } from '../select/selected.ts'
import { keepOnly } from '../select/selection.ts'
import type { FolderOption } from '../file/stored-file.ts'
import { focusWhenThere } from '../screen/focus-after.ts'
import { postAct } from '../screen/post-act.ts'
import type { RenameAnswer } from './rename-modal.tsx'
import type { FolderSort } from '../file/sorts.ts'
import { tellAct } from '../screen/tell-act.ts'

/** The name of a file, or how many they are. */
export const namesOf = (files: readonly Picked[]) =>
  files.length === 1 ? files[0]!.file.name : countFiles(files.length)

/** The other acts on selected files: top and bottom, sorting a folder, renaming, correcting periods. */
export function useManyActs(owner: FileOwner, reload: () => Promise<void>) {
  const backTo = (files: readonly Picked[]) => () => {
    focusWhenThere(new Set(files.map(({ file }) => file.id)))
    return reload()
  }

  /** Removes files that are gone from the selection, after an act was refused because of them. */
  async function leaveOutGone(files: readonly Picked[]): Promise<void> {
    const folders = new Set(files.map(({ folder }) => folder.id))
    const lists = await Promise.all([...folders].map((folder) => listAll(fileUrls.list(owner, folder), '')))
    const there = new Set(lists.flatMap((list) => list?.files.map(({ id }) => id) ?? []))
    if (!lists.includes(null)) selected.set(keepOnly(selected.now(), (id) => there.has(id)))
    showToast('Nogle af filerne er der ikke længere og er nu valgt fra. Intet blev ændret.', {
      kind: 'fault',
    })
    await reload()
  }

  async function place(files: readonly Picked[], to: 'top' | 'bottom'): Promise<void> {
    const ids = files.map(({ file }) => file.id)
    const { status, undo, fault } = await postAct(fileUrls.many(owner, 'place'), { files: ids, to })
    if (status === 404) return leaveOutGone(files)
    if (fault !== null) return showToast(fault, { kind: 'fault' })
    await reload()
    const said = namesOf(files)
    return tellAct(`${said} er flyttet til ${to === 'top' ? 'toppen' : 'bunden'}.`, undo, {
      label: `Fortryd flytning af ${said}`,
      onOver: backTo(files),
    })
  }

  async function sort(folder: Picked['folder'], { by, direction, text }: FolderSort): Promise<void> {
    const { undo, fault } = await postAct(fileUrls.sort(owner, folder.id), { by, direction })
    if (fault !== null) return showToast(fault, { kind: 'fault' })
    await reload()
    const name = 'project' in owner ? folder.name : 'Filerne'
    if (undo === null) return showToast(`${name} var allerede sorteret sådan.`)
    return tellAct(`${name} er sorteret: ${text}.`, undo, {
      label: `Fortryd sortering af ${name}`,
      onOver: reload,
    })
  }

  async function renamed(
    picked: Picked,
    { undo, elsewhere }: RenameAnswer,
    move: (files: readonly Picked[], target: FolderOption) => void,
  ): Promise<void> {
    await reload()
    tellAct(`${picked.file.name} er omdøbt.`, undo, {
      label: `Fortryd omdøbning af ${picked.file.name}`,
      onOver: backTo([picked]),
    })
    if (!elsewhere) return
    showToast(`Med det nye navn hører filen til i ${elsewhere.name}.`, {
      action: {
        text: `Flyt til ${elsewhere.name}`,
        key: 'none',
        run: () => move([picked], elsewhere),
      },
    })
  }

  async function gotPeriod(picked: Picked, { undo, said }: { undo: string | null; said: string }) {
    await reload()
    const { name } = picked.file
    if (undo === null) return showToast(`${name} har allerede den periode.`)
    return tellAct(said, undo, {
      label: `Fortryd rettelse af perioden for ${name}`,
      onOver: backTo([picked]),
    })
  }

  return { place, sort, renamed, gotPeriod, leaveOutGone }
}
