import { formatBytes } from '../../base/bytes.ts'
import { isReadable } from '../../base/text.ts'
import { isTooLong, isUnfit, MOST_LETTERS } from '../../files/names/file-name.ts'

/** A file that was dropped on an upload form. */
export type Upload = {
  id: string
  /** Null if it was sent, or only named, by an earlier page. */
  file: File | null
  /** Its name on its owner's disk. */
  original: string
  /** The name to store it under; at first its own. */
  name: string
  size: number
  /** 'checking': its bytes have arrived, and the server reads them. */
  state: 'waiting' | 'sending' | 'checking' | 'sent' | 'failed'
  /** Whether it is sent by itself when there is a net again. */
  awaitsNet: boolean
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

/** An upload whose bytes this page can read. */
export type ChosenUpload = Upload & { file: File }

export type Limits = { bytes: number; files: number }

let count = 0

export function newUpload(file: File, name: string, { bytes }: Limits): ChosenUpload {
  return {
    id: `f${(++count).toString(36)}`,
    file,
    original: file.name,
    name,
    size: file.size,
    state: 'waiting',
    awaitsNet: false,
    done: 0,
    fault: null,
    mayRetry: false,
    refusal: refusalOf(name, file.size, bytes),
    hashName: null,
    type: null,
    choice: null,
  }
}

/** The facts that an earlier page has left of a file. */
export type LeftUpload = Pick<Upload, 'name' | 'original' | 'size' | 'hashName' | 'type' | 'choice'>

export const CHOOSE_AGAIN = 'Filen blev ikke sendt. Vælg den igen.'

export const NO_LONGER_THERE =
  'Filen er ikke længere på serveren. Måske er den gemt i et andet vindue; ellers vælg den igen.'

/** An upload that an earlier page has sent; one that it has not sent waits to be chosen again. */
export function leftUpload(left: LeftUpload, { bytes }: Limits): Upload {
  const isSent = left.hashName !== null
  return {
    ...left,
    id: `f${(++count).toString(36)}`,
    file: null,
    state: isSent ? 'sent' : 'failed',
    awaitsNet: false,
    done: isSent ? left.size : 0,
    fault: isSent ? null : CHOOSE_AGAIN,
    mayRetry: false,
    refusal: refusalOf(left.name, left.size, bytes),
  }
}

/** An upload that is sent from its first byte. */
export const AFRESH = { state: 'waiting', fault: null, done: 0, hashName: null, type: null } as const

export const isToBeSent = (upload: Upload): upload is ChosenUpload =>
  upload.state === 'waiting' && upload.file !== null

export const isUnderWay = ({ state }: Upload) => state === 'sending' || state === 'checking'

export const failedBy = (fault: string) => ({ state: 'failed', fault, mayRetry: true }) as const

/** Returns whether an upload waits for its file to be chosen again. */
export const isMissing = ({ file, hashName }: Upload) => file === null && hashName === null

/** Pairs chosen files with the uploads that wait for them: those of the same name and size. */
export function findAgain(uploads: readonly Upload[], files: readonly File[]): Map<File, Upload> {
  const open = Map.groupBy(uploads.filter(isMissing), ({ original, size }) => `${size} ${nameKey(original)}`)
  const pairs = files.map((file) => [file, open.get(`${file.size} ${nameKey(file.name)}`)?.shift()] as const)
  return new Map(pairs.filter((pair): pair is [File, Upload] => pair[1] !== undefined))
}

/** Macs and others write the same letters differently. */
const nameKey = (name: string) => name.normalize('NFC')

/**
 * Returns why a file cannot be sent, before any byte of it is. Its kind is no reason: the office sends an .exe or a .zip too,
 * and only investors are held to PDFs (`placeAtOwn` in `form/place.db.ts`).
 */
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
