/** What a refused form says of its files. */
export type UploadFaults = {
  /** Their bytes are not there any more, and have to be sent again. */
  lost: Map<string, string>
  /** Their bytes are there, but they cannot be stored as they are called, or as what they are. */
  refused: Map<string, string>
  /** Some no longer lead where the page thought. */
  isMoved: boolean
}

/** `files.<id>.name` and the like, by the file's id. */
export function faultsByFile(errors: Record<string, string[]>): UploadFaults {
  const faults: UploadFaults = { lost: new Map(), refused: new Map(), isMoved: false }
  for (const [field, texts] of Object.entries(errors)) {
    const [, id, which] = /^files\.([a-z0-9]+)\.(\w+)$/.exec(field) ?? []
    if (id === undefined) continue
    const text = texts.join(' ')
    if (which === 'data') faults.lost.set(id, text)
    else if (which === 'name' || which === 'mime')
      faults.refused.set(id, [faults.refused.get(id), text].filter(Boolean).join(' '))
    if (which !== 'data' && which !== 'mime') faults.isMoved = true
  }
  return faults
}
