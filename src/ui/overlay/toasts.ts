export type Toast = {
  id: number
  text: string
  kind: 'done' | 'fault'
  /** `label` names what is undone, which the text alone does not. */
  action?: { text: string; label?: string; run: () => void }
}

const MOST = 3
const NONE: readonly Toast[] = []

let toasts: readonly Toast[] = NONE
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a toast. A fourth one replaces the oldest, preferring one without an action. */
export function showToast(text: string, more: Partial<Pick<Toast, 'kind' | 'action'>> = {}): void {
  const all = [...toasts, { id: ++lastId, text, kind: 'done', ...more } satisfies Toast]
  const leaving = all.length > MOST ? (all.find(({ action }) => !action) ?? all[0]) : null
  change(all.filter((toast) => toast !== leaving))
}

const KEPT = 'said'

/** Leaves a message for the next page. */
export function sayOnNextPage(text: string): void {
  sessionStorage.setItem(KEPT, text)
}

/** Shows the message that the last page left. */
export function sayWhatWasKept(): void {
  const text = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  if (!text) return
  showToast(text)
  // The pressed button is gone with the last page, so the focus starts at the new page's content.
  if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true })
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

/** Does what the toast offers, which ends it. */
export function actOnToast({ id, action }: Toast): void {
  dismissToast(id)
  action?.run()
}

export const listToasts = () => toasts
export const noToasts = () => NONE

export function onToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
