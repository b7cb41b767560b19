import { isReadable } from '../../base/text.ts'
import type { Double } from '../pile/pile.ts'
import type { SeenKinds } from '../pile/judgements.ts'
import { keyInName, MOST_LETTERS } from '../../files/names/file-name.ts'
import type { LeftUpload, Upload } from '../transport/upload.ts'
import type { FoundFile, UnsavedFile } from './unsaved-pile.ts'

const NOTHING_SEEN: SeenKinds = new Map()

/** Returns the stored form of a pile's files, without files that can never be sent. */
export function unsavedFilesOf(
  uploads: readonly Upload[],
  doubles: readonly Double[],
  seen = NOTHING_SEEN,
): Map<string, UnsavedFile> {
  const meanings = new Map(doubles.map(({ key, meaning }) => [key, meaning]))
  const kept = uploads.filter(({ refusal }) => refusal === null)
  return new Map(
    kept.map(({ id, name, original, size, hashName, choice }) => [
      id,
      {
        name,
        // Such a name cannot be sent, so the file is recognised by its new name.
        original: original.length <= MOST_LETTERS && isReadable(original) ? original : name,
        size,
        hash_name: hashName,
        choice,
        meaning: meanings.size === 0 ? null : (meanings.get(keyInName(name) ?? '') ?? null),
        acknowledged: seen.get(id) ?? [],
      },
    ]),
  )
}

/** Returns an upload's state as an earlier page has left it. */
export const leftOf = ({
  name,
  original,
  size,
  hash_name: hashName,
  type,
  choice,
}: FoundFile): LeftUpload => ({
  name,
  original,
  size,
  hashName,
  type,
  choice,
})
