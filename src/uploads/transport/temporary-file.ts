/** What has been sent and waits for its form: S3.3. */
export type TemporaryFile = {
  name: string
  size: number
  /** Found from the bytes. */
  type: string
  /** What the form calls it by. */
  hash_name: string
}
