import { readXml } from './markup.ts'
import type { PieceWriter } from './piece-writer.ts'
import { Unreadable } from './reading-fault.ts'
import { openZip } from './unzip.ts'

const DOCUMENT = 'word/document.xml'
/** Notes, heads and feet, which are read after the document. */
const BESIDE = /^word\/(?:footnotes|endnotes|header\d*|footer\d*)\.xml$/

/** Reads a Word document (.docx), with the pages that Word has left in it. */
export function readWord(bytes: Buffer, to: PieceWriter): void {
  const zip = openZip(bytes)
  const names = zip.names()
  const main = names.includes(DOCUMENT)
    ? DOCUMENT
    : names.find((name) => /^word\/document\d*\.xml$/.test(name))
  const document = main === undefined ? null : zip.find(main)
  if (!document) throw new Unreadable('damaged')
  // Word notes where its pages ended when it was last saved. Other programs have only breaks that somebody asked for.
  const hasPages = document.includes('lastRenderedPageBreak')
  readStory(document, to, hasPages ? 'noted' : 'asked')
  for (const name of names.filter((each) => BESIDE.test(each)).toSorted())
    readStory(zip.find(name)!, to, 'none')
}

function readStory(xml: Buffer, to: PieceWriter, breaks: 'noted' | 'asked' | 'none'): void {
  let texts = 0
  let fallbacks = 0
  readXml(xml, {
    onOpen: (name, attributes) => {
      if (name === 'Fallback') fallbacks++
      if (fallbacks > 0) return
      if (name === 't') texts++
      else if (name === 'tab') to.add('\t')
      else if (name === 'noBreakHyphen') to.add('-')
      else if (name === 'softHyphen') to.add('\u00ad')
      else if (name === 'lastRenderedPageBreak') {
        if (breaks === 'noted') to.breakPage()
      } else if (name === 'cr') to.endLine()
      else if (name === 'br') {
        if (attributes['w:type'] === 'page' && breaks === 'asked') to.breakPage()
        else to.add('\n')
      }
    },
    onText: (text) => {
      if (texts > 0 && fallbacks === 0) to.add(text)
    },
    onClose: (name) => {
      if (name === 'Fallback') fallbacks--
      else if (fallbacks > 0) return
      else if (name === 't') texts--
      else if (name === 'p') to.endLine()
      else if (name === 'tc') to.add('\t')
    },
  })
}
