import { showToast } from '../../ui/overlay/toasts.ts'
import { urls } from '../../urls.ts'
import { sendAct } from './post-act.ts'

type More = {
  /** Names the act for screen readers: 'Fortryd sletning af Bilag 1.pdf'. */
  label: string
  /** Fetches the list again, after the act was undone or refused. */
  onOver: () => unknown
  about?: string
}

let before: Promise<unknown> = Promise.resolve()

/** Says what was done, and offers to undo it: in the toast, and by Ctrl+Z as long as the page is open. */
export function tellAct(text: string, undo: string | null | undefined, { label, onOver, about }: More): void {
  // One after the other: an act can be undone only after the later ones.
  const run = () => void (before = before.then(() => takeBack(undo!)).then(onOver))
  showToast(text, {
    ...(about && { about }),
    ...(undo && { action: { text: 'Fortryd', label, run, key: 'kept' } }),
  })
}

async function takeBack(undo: string): Promise<void> {
  const { fault, asked } = await sendAct('POST', urls.undo(undo))
  if (fault === null) showToast(asked ?? 'Fortrudt: alt er, som det var.')
  else showToast(fault, { kind: 'fault' })
}
