/** Makes a value that lives outside React, and tells its listeners of each change. */
export function makeStore<Value>(value: Value) {
  const listeners = new Set<() => void>()

  function set(next: Value): void {
    value = next
    for (const listener of listeners) listener()
  }

  function listen(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  return { now: () => value, set, listen }
}
