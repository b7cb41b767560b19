import { formatBytes } from '../../base/bytes.ts'
import { isReadable } from '../../base/text.ts'
import { isTooLong, isUnfit, MOST_LETTERS } from '../names/file-name.ts'

/** A file that was dropped on an upload form. */
export type Upload = {
  id: string
  file: File
  /** The name to store it under; at first its own. */
  name: string
  size: number
  /** 'checking': its bytes have arrived, and the server reads them. */
  state: 'waiting' | 'sending' | 'checking' | 'sent' | 'failed'
  /** How many bytes have arrived. */
  done: number
  /** Why it could not be sent. */
  fault: string | null
  /** Whether trying again may help. */
  mayRetry: boolean
  /** Why it is not sent at all. */
  refusal: string | null
  hashName: string | null
  /** Read from its bytes, once they have arrived. */
  type: string | null
  /** The sender's choice if the file is stored already; null if they have not chosen. */
  choice: 'version' | 'keep' | 'skip' | null
}

export type Limits = { bytes: number; files: number }

let count = 0

export function newUpload(file: File, name: string, { bytes }: Limits): Upload {
  return {
    id: `f${(++count).toString(36)}`,
    file,
    name,
    size: file.size,
    state: 'waiting',
    done: 0,
    fault: null,
    mayRetry: false,
    refusal: refusalOf(name, file.size, bytes),
    hashName: null,
    type: null,
    choice: null,
  }
}

/** Returns why a file cannot be sent, before any byte of it is. */
export function refusalOf(name: string, size: number, most: number): string | null {
  if (size === 0) return 'Filen er tom.'
  if (size > most) return `Filen er for stor. En fil må højst fylde ${formatBytes(most)}.`
  if (isUnfit(name)) return 'Filnavnet må ikke indeholde skråstreger.'
  if (!isReadable(name)) return 'Filnavnet har tegn, der ikke kan læses. Omdøb filen, og prøv igen.'
  if (isTooLong(name)) return `Filnavnet må højst være på ${MOST_LETTERS} tegn.`
  return null
}

export function sumOf(uploads: readonly Upload[], what: 'size' | 'done'): number {
  return uploads.reduce((sum, upload) => sum + upload[what], 0)
}
