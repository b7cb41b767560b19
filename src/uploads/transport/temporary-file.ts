/** A file that was sent and waits for its form: S3.3. */
export type TemporaryFile = {
  name: string
  size: number
  /** Found from the bytes. */
  type: string
  /** The form's name for it. */
  hash_name: string
}
