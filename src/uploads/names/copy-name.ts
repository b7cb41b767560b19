import { cleanFileName, splitExtension } from '../../files/names/file-name.ts'

/** A name without what a copy adds to it, and what that was. */
export type Uncopied = { name: string; mark: string }

const BEFORE = /^(?:kopi(?: \(?\d{1,2}\)?)? af|copy(?: \(?\d{1,2}\)?)? of)\s+/i
const AFTER = /\s*[-–]?\s*(?:(?:kopi|copy)(?:\s*\(\d{1,2}\))?|\(\d{1,2}\))$/i

/** 'Kopi af Budget (1024) 2023 (2).pdf' is 'Budget (1024) 2023.pdf' with the mark 'Kopi (2)'. */
export function uncopied(name: string): Uncopied {
  const { stem, extension } = splitExtension(cleanFileName(name))
  const marks: string[] = []
  let rest = stem
  if (BEFORE.test(rest)) {
    marks.push('Kopi')
    rest = rest.replace(BEFORE, '')
  }
  for (let after = AFTER.exec(rest); after && after.index > 0; after = AFTER.exec(rest)) {
    marks.push(after[0].replace(/^[\s–-]+/, ''))
    rest = rest.slice(0, after.index)
  }
  if (marks.length === 0) return { name: stem + extension, mark: '' }
  return { name: rest.trim() + extension, mark: [...new Set(marks)].join(' ') }
}

/** How many letters a name has only because it is a copy: of two equal files the one with fewer is kept. */
export const copyLetters = (name: string) => cleanFileName(name).length - uncopied(name).name.length
