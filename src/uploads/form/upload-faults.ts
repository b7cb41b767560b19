/** The faults of a refused form's files, by the file's id. */
type UploadFaults = {
  /** Files whose bytes are no longer on the server and must be sent again. */
  lost: Map<string, string>
  /** Files whose bytes are on the server, but whose name or type is refused. */
  refused: Map<string, string>
  /** Whether some files no longer go where the page thought. */
  isMoved: boolean
}

/** Reads errors such as `files.<id>.name`. */
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
