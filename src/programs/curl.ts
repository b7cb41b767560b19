/** What an example call sends. */
type CurlCall = {
  method: string
  /** With the host and the query. */
  address: string
  headers: Record<string, string>
  /** The name of the file's field in a form. */
  fileField: string
  /** The fields of a form with a file. */
  fields: Record<string, string> | null
  /** The JSON body. */
  body: unknown
  /** It sends raw bytes. */
  isBytes: boolean
  /** The answer is a file. */
  isFile: boolean
}

/** The name of the file that examples upload, which finds its own place. */
export const EXAMPLE_FILE = 'Årsrapport (1024) 2025.pdf'
/** A piece of a large file, and where a download is put. */
export const EXAMPLE_PIECE = 'stykke.bin'
export const EXAMPLE_DOWNLOAD = 'hentet.pdf'

/** Writes a call as a line for the shell, ready to be pasted into a terminal. */
export function curlOf({
  method,
  address,
  headers,
  fileField,
  fields,
  body,
  isBytes,
  isFile,
}: CurlCall): string {
  const hasBody = fields !== null || body !== undefined || isBytes
  const isUsual = method === 'GET' || (method === 'POST' && hasBody)
  return [
    `curl${method === 'HEAD' ? ' --head' : isUsual ? '' : ` -X ${method}`} -H "Authorization: Bearer $RINGBIND_TOKEN"`,
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(fields ? [`-F "${fileField}=@${EXAMPLE_FILE}"`] : []),
    ...Object.entries(fields ?? {}).map(([name, value]) => `-F "${name}=${value}"`),
    ...(body === undefined ? [] : [`--json '${JSON.stringify(body)}'`]),
    ...(isBytes ? [`--data-binary @${EXAMPLE_PIECE}`] : []),
    ...(isFile ? [`--location --output ${EXAMPLE_DOWNLOAD}`] : []),
    `"${address}"`,
  ].join(' \\\n  ')
}
