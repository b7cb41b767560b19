import { makeStore } from '../basic/store.ts'

export type Toast = {
  id: number
  text: string
  kind: 'done' | 'fault'
  /** `label` names what is undone, which the text does not. */
  action?: ToastAction
  /** A newer toast about the same takes its place. */
  about?: string
}

type ToastAction = {
  text: string
  label?: string
  run: () => void
  /** What Ctrl+Z undoes: the act while the toast is shown, also later (`kept`), or nothing (`none`). */
  key?: 'kept' | 'none'
}

const MOST = 3
/** How many acts Ctrl+Z undoes after their toasts are closed. */
const MOST_KEPT = 20
const NONE: readonly Toast[] = []

const toasts = makeStore(NONE)
let kept: readonly Toast[] = NONE
let lastId = 0

/** Shows a toast. A fourth one replaces the oldest, preferring one without an action. */
export function showToast(text: string, more: Partial<Omit<Toast, 'id' | 'text'>> = {}): void {
  const toast: Toast = { id: ++lastId, text, kind: 'done', ...more }
  if (more.action?.key === 'kept') kept = [...kept.slice(1 - MOST_KEPT), toast]
  const all = [...toasts.now().filter(({ about }) => !about || about !== more.about), toast]
  const leaving = all.length > MOST ? (all.find(({ action }) => !action) ?? all[0]) : null
  toasts.set(all.filter((each) => each !== leaving))
}

const KEPT = 'said'

/** Leaves a message for the next page. */
export function sayOnNextPage(text: string): void {
  sessionStorage.setItem(KEPT, text)
}

/** Shows the message that the last page left. */
export function showMessageOfLastPage(): void {
  const text = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  if (!text) return
  showToast(text)
  // The pressed button was on the last page, so the focus starts at the new page's content.
  if (document.activeElement === document.body) document.querySelector('main')?.focus({ preventScroll: true })
}

export function dismissToast(id: number): void {
  toasts.set(toasts.now().filter((toast) => toast.id !== id))
}

/** Does what the toast offers, which ends it. */
export function actOnToast({ id, action }: Toast): void {
  dismissToast(id)
  kept = kept.filter((toast) => toast.id !== id)
  action?.run()
}

/** Returns the toast whose act Ctrl+Z does: the newest. */
export function findUndo(): Toast | undefined {
  const able = toasts.now().filter(({ action }) => action && action.key !== 'none')
  return [...kept, ...able].toSorted((a, b) => a.id - b.id).at(-1)
}

export const listToasts = toasts.now
export const noToasts = () => NONE
export const onToasts = toasts.listen
