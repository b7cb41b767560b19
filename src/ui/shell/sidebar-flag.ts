let isVisible = false // S4.1
const listeners = new Set<() => void>()

export const isSidebarVisible = () => isVisible
export const isHiddenAtFirst = () => false

export function showSidebar(value: boolean): void {
  isVisible = value
  for (const listener of listeners) listener()
}

export function onSidebar(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
