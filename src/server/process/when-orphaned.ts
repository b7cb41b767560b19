/**
 * Calls back when the parent process has ended: npm passes a signal only to its shell, which dies without passing it
 * on.
 */
export function whenOrphaned(then: () => void): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    then()
  }, 200)
  watch.unref()
}
