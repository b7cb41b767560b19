import type { FileOwner } from '../../access/reader.ts'
import { jsonBody, OFFLINE, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { fileUrls, zipOf } from '../../urls.ts'

/** How many files an address names: not every server accepts longer ones. */
const MOST_IN_ADDRESS = 300

/** Returns the address of an archive of some files, or null if they are too many for one. */
export function findZipAddress(owner: FileOwner, files: readonly number[]): string | null {
  return files.length <= MOST_IN_ADDRESS ? zipOf(owner, { files: [...files] }) : null
}

/** Downloads an archive of so many files that the server has to store the selection. */
export async function downloadMany(owner: FileOwner, files: readonly number[]): Promise<void> {
  const response = await orNull(send('POST', fileUrls.zip(owner), jsonBody({ files })))
  const answer =
    response && (await orNull(readJson<{ redirect?: string; message?: string } | null>(response)))
  if (response?.ok && answer?.redirect) location.assign(answer.redirect)
  else showToast(answer?.message ?? (response ? 'Filerne kunne ikke hentes.' : OFFLINE), { kind: 'fault' })
}
