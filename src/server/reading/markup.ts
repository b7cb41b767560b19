import { Parser } from 'htmlparser2'

/** Called for each element and text of an XML document. Names come without their prefix: 'w:t' is 't'. */
type Listener = {
  onOpen?: (name: string, attributes: Record<string, string>) => void
  onText?: (text: string) => void
  onClose?: (name: string) => void
}

const CHUNK = 64 * 1024

/** Reads XML piece by piece. Only the five entities of XML itself are known, so none can grow. */
export function readXml(bytes: Buffer, { onOpen, onText, onClose }: Listener): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => onOpen?.(localName(name), attributes),
      ontext: (text) => onText?.(text),
      onclosetag: (name) => onClose?.(localName(name)),
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder(encodingOf(bytes))
  for (let at = 0; at < bytes.length; at += CHUNK)
    parser.write(decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true }))
  parser.end()
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

function encodingOf(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

const UNREAD = new Set(['script', 'style', 'template', 'noscript', 'title', 'svg', 'math', 'object'])
const IN_LINE = new Set(
  'a abbr b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
const BESIDE = new Set(['td', 'th'])

/** Returns the words of HTML that a reader would see, a line for each block. */
export function htmlToText(html: string): string {
  const pieces: string[] = []
  let unread = 0
  const parser = new Parser(
    {
      onopentagname: (name) => {
        if (UNREAD.has(name)) unread++
        else if (name === 'br') pieces.push('\n')
      },
      ontext: (text) => {
        if (unread === 0) pieces.push(text.replace(/\s+/g, ' '))
      },
      onclosetag: (name) => {
        if (UNREAD.has(name)) unread--
        else if (BESIDE.has(name)) pieces.push('\t')
        else if (name !== 'br' && !IN_LINE.has(name)) pieces.push('\n')
      },
    },
    { decodeEntities: true },
  )
  parser.write(html)
  parser.end()
  return pieces.join('')
}
