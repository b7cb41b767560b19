import { postFiles } from '../../ui/overlay/transfer.ts'
import { urls } from '../../urls.ts'
import { hexOf, sha256Of } from './sha256.ts'
import type { TemporaryFile } from './temporary-file.ts'
import type { ChosenUpload } from './upload.ts'
import { WIDGET, type Widget } from './widget.ts'

/** The outcome of a call: the files now on the server, the faults by file, or that it did not get through. */
export type Sent =
  | { kind: 'sent'; files: TemporaryFile[] }
  | { kind: 'refused'; message: string; faults: Map<number, string> }
  | { kind: 'broken' }

/** At most this many files in one call: enough that a thousand small files are not a thousand calls. */
const MOST_TOGETHER = 50

/** Takes small files together, and a large one alone. */
export function nextBatch<Item extends { size: number }>(
  waiting: readonly Item[],
  chunkBytes = WIDGET.chunkBytes,
): Item[] {
  const batch: Item[] = []
  let bytes = 0
  for (const item of waiting) {
    bytes += item.size
    if (batch.length > 0 && (bytes > chunkBytes || batch.length === MOST_TOGETHER)) break
    batch.push(item)
  }
  return batch
}

/** Returns the fault of each file in a refusal: `files.3` is the fourth of the call. */
export function faultsOf(errors: Record<string, string[]>): Map<number, string> {
  return new Map(
    Object.entries(errors).flatMap(([field, texts]) => {
      const place = /^files\.(\d+)$/.exec(field)?.[1]
      return place === undefined ? [] : [[Number(place), texts.join(' ')] as const]
    }),
  )
}

type Options = { signal: AbortSignal; onProgress: (part: number) => void; widget: Widget }

/** Sends some files together, and tries again if the connection breaks. */
export async function sendBatch(batch: readonly ChosenUpload[], options: Options): Promise<Sent> {
  const form = await formOf(batch)
  for (let tries = 0; ; tries++) {
    const outcome = await sendOnce(form, options)
    const { signal, widget } = options
    if (outcome.kind !== 'broken' || tries === widget.chunkRetries || signal.aborted) return outcome
    await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** tries))
  }
}

async function sendOnce(form: FormData, { signal, onProgress, widget }: Options): Promise<Sent> {
  const answer = await postFiles(urls.temporaryUpload, form, {
    signal,
    onProgress,
    silenceMs: widget.timeoutMs,
  })
  if (answer?.status === 200) return { kind: 'sent', files: answer.body as TemporaryFile[] }
  const { message, errors } = (answer?.body ?? {}) as { message?: string; errors?: Record<string, string[]> }
  // A server that is down may be back soon; one without room says so at the file. 460: the bytes changed on the way.
  if (answer === null || [429, 460].includes(answer.status) || (answer.status >= 500 && !errors))
    return { kind: 'broken' }
  return { kind: 'refused', message: message ?? 'Filen kunne ikke sendes.', faults: faultsOf(errors ?? {}) }
}

/** Puts each file after its SHA-256. A file that can no longer be read goes without one, and the call breaks. */
async function formOf(batch: readonly ChosenUpload[]): Promise<FormData> {
  const form = new FormData()
  for (const [index, { file, name }] of batch.entries()) {
    const bytes = await file.arrayBuffer().then(
      (all) => new Uint8Array(all),
      () => null,
    )
    if (bytes) form.set(`sha256[${index}]`, hexOf(await sha256Of(bytes)))
    form.set(`files[${index}]`, bytes ? new Blob([bytes], { type: file.type }) : file, name)
  }
  return form
}
