/** A fault as the browser reports it. */
type Fault = {
  message: string
  stack: string
  /** The path of the page that broke. */
  page: string
  /** The file name of the page's first script, which differs in every build. */
  build: string
}

const MESSAGE_LENGTH = 300
const FRAMES = 20
const FRAME_LENGTH = 200

/** The fault without anything that can be about a person, for the log. */
export function cleanFault({ message, stack, page, build }: Fault): Fault {
  return {
    message: cleanMessage(message),
    stack: cleanStack(stack),
    page: cleanPath(page),
    build: /^[\w.-]{1,80}$/.test(build) ? build : '',
  }
}

/** An apostrophe within a word is no quote; a quote without an end quotes the rest of the text. */
const QUOTED = /"[^"]*(?:"|$)|[“”][^”]*(?:”|$)|»[^«]*(?:«|$)|(?<!\w)'[^']*(?:'|$)|`[^`]*(?:`|$)/g

/** Removes quoted texts, except those that can only be a name in the code: `(reading 'name')`. */
function cleanMessage(message: string): string {
  return withoutAddresses(message.slice(0, 2 * MESSAGE_LENGTH))
    .replace(QUOTED, (text) => (/^['`][\w$.]{1,40}['`]$/.test(text) ? text : '"…"'))
    .replace(/\d(?:[\d .,:-]{2,}\d)/g, '…')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, MESSAGE_LENGTH)
    .trim()
}

/** Keeps only lines that name a place in a script; the others repeat the message. */
function cleanStack(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /:\d+:\d+\)?\s*$/.test(line))
    .slice(0, FRAMES)
    .map((line) => cleanFrame(line.trim()))
    .join('\n')
}

/** 'at draw (https://office.dk/assets/frame-Bx1.js:1:250)' becomes 'at draw (/assets/frame-Bx1.js:1:250)'. */
function cleanFrame(line: string): string {
  const [, what = '', place = ''] = /^(.*?)((?::\d+){1,2}\)?)$/.exec(line) ?? []
  const cleaned = withoutAddresses(what)
    .replace(/\bhttps?:\/\/[^/\s]*/g, '')
    .replace(/[^\s()@]*\/[^\s()@]*/g, (path) =>
      /^\/(?:assets|src)\/[\w./-]+$/.test(path) ? path : cleanPath(path),
    )
  return cleaned.slice(0, FRAME_LENGTH) + place
}

/** '/projects/12/uploads' becomes '/projects/…/uploads': removes ids, tokens and file names. */
function cleanPath(path: string): string {
  const segments = path.split(/[?#]/)[0]!.slice(0, 500).split('/')
  return segments
    .map((each) => (/^[a-z-]{0,20}$/.test(each) ? each : '…'))
    .join('/')
    .slice(0, FRAME_LENGTH)
}

/** Removes e-mail addresses, and the query of a page's address. */
function withoutAddresses(text: string): string {
  return text.replace(/[^\s<>()"'/@:]+@[^\s<>()"'/@:]+\.[^\s<>()"'/@:]+/g, '…@…').replace(/\?[^\s)"']+/g, '')
}
