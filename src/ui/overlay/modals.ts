const subjects = new Map<string, unknown>() // the open modals
const listeners = new Set<() => void>()

/** Opens a modal. A value other than a boolean becomes its subject; `false` closes it. */
function open(name: string, value: unknown = true): void {
  if (value === false) return close(name)
  if (subjects.has(name) && Object.is(subjects.get(name), value)) return undefined
  subjects.set(name, value)
  return tell()
}

function close(name: string): void {
  if (subjects.delete(name)) tell()
}

const toggle = (name: string) => open(name, !subjects.has(name))

const isOpen = (name: string) => subjects.has(name)

/** Returns an open modal's subject, or undefined if it is closed or has none. */
function subject(name: string): unknown {
  const value = subjects.get(name)
  return value === true ? undefined : value
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** S4.1: the open modals by name. Code that opens one need not know where it is drawn. */
export const modals = { open, close, toggle, isOpen, subject, listen }
