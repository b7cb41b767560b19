import { send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import { isReachable, whenReachable } from './net.ts'
import { sendBatch, type Sent } from './send-batch.ts'
import { alike, sendLarge } from './send-large.ts'
import type { ChosenUpload } from './upload.ts'
import type { Widget } from './widget.ts'

type Call = {
  signal: AbortSignal
  onProgress: (part: number) => void
  /** Called when the bytes have arrived and the server reads them. */
  onThere: () => void
  /** Called when sending starts again from the first byte. */
  onRestart: () => void
}

/** The connection to the server. */
export type Transport = {
  send: (batch: readonly ChosenUpload[], call: Call) => Promise<Sent>
  /** Frees the space of a removed file at once, not only after a day. */
  giveUp: (hashName: string) => void
  /** Whether the server answers at all. */
  isReachable: () => Promise<boolean>
  /** Acts once, when it answers again. */
  whenReachable: (act: () => void) => void
}

/** Sends small files together, and a large one in pieces or straight to the store. */
export function transportBy(widget: Widget, isDirect: boolean): Transport {
  /** False after one file could not be sent straight to the store. */
  let goesDirect = isDirect
  return {
    async send(batch, { signal, onProgress, onThere, onRestart }) {
      const { file, name, size } = batch[0]!
      const { chunkBytes, mostChunkBytes, chunkRetries: retries, timeoutMs: silenceMs } = widget
      if (size <= chunkBytes) return sendBatch(batch, { signal, onProgress, widget })
      if (goesDirect) {
        const direct = await import('./send-direct.ts').catch(() => null)
        const options = { signal, onProgress, retries, silenceMs, onThere, alike }
        const sent = await direct?.sendDirect(file, name, options)
        if (sent) return sent
        goesDirect = false
        onRestart()
      }
      return sendLarge(file, name, { signal, onProgress, retries, silenceMs, chunkBytes, mostChunkBytes })
    },
    giveUp: (hashName) => void send('DELETE', urls.temporaryFile(hashName)).catch(() => undefined),
    isReachable,
    whenReachable,
  }
}
