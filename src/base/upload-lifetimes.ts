const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How long a file is kept that was sent and is not in any folder yet. Each lifetime outlasts those above it. */
export const LIFETIMES = {
  /** A page that sends a large file tells other tabs so at least this often. */
  sendingSaidMs: 10_000,
  /** After this long without such a message a page counts as gone, and another tab may continue with its file. */
  sendingPageMs: MINUTE_MS,
  /** The store accepts a file at a signed address for this long. An upload that began in time may end later. */
  signedUploadMs: HOUR_MS,
  /**
   * A sent file waits this long for its form to be saved. A resumable upload may rest as long (tus calls it
   * `Upload-Expires`), and the browser remembers as long where it stopped.
   */
  temporaryFileMs: 24 * HOUR_MS,
  /** Bytes may arrive this long after an address was signed. Only then is its blob removed. */
  signedBlobMs: 25 * HOUR_MS,
  /** A blob whose bytes never arrived is removed after this long: no upload takes longer. */
  pendingBlobMs: 48 * HOUR_MS,
}
