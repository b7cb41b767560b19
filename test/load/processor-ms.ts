/** Runs it, and returns the processor time of its thread: the machine may be busy with something else. */
export function processorMs(work: () => unknown): number {
  const began = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1000
}
