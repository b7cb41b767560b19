export type Toast = {
  id: number
  text: string
  kind: 'done' | 'fault'
  /** The label names what the text alone does not: what is undone. */
  action?: { text: string; label?: string; run: () => void }
}

const MOST = 3
const NONE: readonly Toast[] = []

let toasts: readonly Toast[] = NONE
let lastId = 0
const listeners = new Set<() => void>()

/** Says something in the corner, from anywhere. Of four the oldest gives way, first of those with nothing to do. */
export function showToast(text: string, more: Partial<Pick<Toast, 'kind' | 'action'>> = {}): void {
  const all = [...toasts, { id: ++lastId, text, kind: 'done', ...more } satisfies Toast]
  const leaving = all.length > MOST ? (all.find(({ action }) => !action) ?? all[0]) : null
  change(all.filter((toast) => toast !== leaving))
}

const KEPT = 'said'

/** What is to be said where one is being led, once one is there. */
export function sayOnNextPage(text: string): void {
  sessionStorage.setItem(KEPT, text)
}

/** Says what the page before left to say. */
export function sayWhatWasKept(): void {
  const text = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  if (!text) return
  showToast(text)
  // What was pressed is gone with the page before: go on where the new one begins.
  if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true })
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
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
