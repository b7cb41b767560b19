import { formatBytes } from '../../base/bytes.ts'
import { isReadable } from '../../base/text.ts'
import { isTooLong, isUnfit, MOST_LETTERS } from '../names/file-name.ts'

/** A file that somebody has dropped, on its way to its form. */
export type Upload = {
  id: string
  file: File
  /** What it is to be called; at first as it was. */
  name: string
  size: number
  /** 'checking': it is there, and the server reads it. */
  state: 'waiting' | 'sending' | 'checking' | 'sent' | 'failed'
  /** Bytes that are there. */
  done: number
  /** Why it could not be sent. */
  fault: string | null
  /** Whether trying again may help. */
  mayRetry: boolean
  /** Why it is not even tried. */
  refusal: string | null
  hashName: string | null
  /** Found from its bytes, once they are there. */
  type: string | null
  /** What its sender chose, where it is there already; null: nothing yet. */
  choice: 'keep' | 'skip' | null
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

/** Told before a byte is sent. */
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
