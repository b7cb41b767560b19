/** How far the reading of documents is, as the office's page shows it. */
export type ReadingState = {
  /** Whether documents are read at all. */
  isOn: boolean
  read: number
  waiting: number
  failed: number
  /** The newest that could not be read. */
  newestFailed: { id: number; name: string; reason: string }[]
  /** Whether PDFs are read by poppler, which is quicker. */
  hasPdfReader: boolean
  scans: { state: 'read' | 'off' | 'missing'; waiting: number }
}
