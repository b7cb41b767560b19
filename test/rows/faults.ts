const faults = new Set<string>()

export function addRowFault(fault: string | null): void {
  if (fault !== null) faults.add(fault)
}

/** Returns what did not fit since the last call. */
export function takeRowFaults(): string[] {
  const found = [...faults]
  faults.clear()
  return found
}
