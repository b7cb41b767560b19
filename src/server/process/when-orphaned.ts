/** npm passes a signal on to its shell, which dies of it and tells nobody. */
export function whenOrphaned(then: () => void): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    then()
  }, 200)
  watch.unref()
}
