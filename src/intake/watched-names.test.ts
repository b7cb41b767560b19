import { describe, expect, it } from 'vitest'
import { nameFrom, noteFrom, untakenFrom } from './intake.ts'
import { isIgnored, readName, RestingFiles } from './watched-names.ts'

it.each([
  ['scan.pdf', false],
  ['Scan 0001.PDF', false],
  ['notat.template', false],
  ['.skjult.pdf', true],
  ['scan.pdf.part', true],
  ['scan.pdf.FILEPART', true],
  ['scan.tmp', true],
  ['~$rapport.docx', true],
  ['rapport.docx~', true],
  ['Thumbs.db', true],
  ['desktop.ini', true],
])('whether %s is ignored: %s', (name, isOver) => expect(isIgnored(name)).toBe(isOver))

it.each([
  ['UTF-8', Buffer.from('Årsrapport.pdf'), 'Årsrapport.pdf'],
  ['Latin-1', Buffer.from('Årsrapport.pdf', 'latin1'), 'Årsrapport.pdf'],
  ['decomposed', Buffer.from('A\u030Arsrapport.pdf'), 'A\u030Arsrapport.pdf'],
])('reads a name in %s', (_how, raw, name) => expect(readName(raw)).toBe(name))

it.each([
  ['A\u030Arsrapport.pdf', 'Årsrapport.pdf'],
  ['a/b\\c.pdf', 'a_b_c.pdf'],
  ['linje\nskift.pdf', 'linje_skift.pdf'],
  ['gpj.\u202Epdf', 'gpj.pdf'],
  ['   ', 'Uden navn'],
  ['', 'Uden navn'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
  ['\ud800.pdf', '_.pdf'],
])('stores the name %j as %j', (told, name) => {
  expect(nameFrom(told)).toBe(name)
  expect(nameFrom(nameFrom(told))).toBe(nameFrom(told))
})

it('reads a huge name, text or list quickly', () => {
  expect(nameFrom(`${'å'.repeat(10_000_000)}.pdf`)).toHaveLength(255)
  expect(noteFrom('a\n'.repeat(5_000_000)).length).toBeLessThanOrEqual(10_000)
  expect(untakenFrom(Array.from({ length: 80 }, () => ({ name: 'a', why: 'b' }))).at(-1)!.name).toBe(
    '30 andre',
  )
})

describe('files that stop changing', () => {
  const mark = { size: 10, mtime: 5n, inode: 1n }
  const look = (files: RestingFiles, at: number, now = mark) => {
    const rested = files.see('a', now, at)
    files.end()
    return rested
  }

  it('a file has stopped changing if it was the same long enough, over two looks', () => {
    const files = new RestingFiles(1000)
    expect(look(files, 0)).toBeNull()
    expect(look(files, 999)).toBeNull()
    expect(look(files, 1000)).toBe(1000)
  })

  it('never counts a file as unchanged at the first look, even without a waiting time', () => {
    const files = new RestingFiles(0)
    expect(look(files, 0)).toBeNull()
    expect(look(files, 0)).toBe(0)
  })

  it.each([
    ['grows', { ...mark, size: 11 }],
    ['is written', { ...mark, mtime: 6n }],
    ['is another', { ...mark, inode: 2n }],
  ])('starts waiting again when the file %s', (_what, changed) => {
    const files = new RestingFiles(1000)
    look(files, 0)
    expect(look(files, 2000, changed)).toBeNull()
    expect(look(files, 2500, changed)).toBeNull()
    expect(look(files, 3000, changed)).toBe(1000)
  })

  it('starts waiting again when the file was gone meanwhile', () => {
    const files = new RestingFiles(1000)
    look(files, 0)
    files.end()
    expect(look(files, 2000)).toBeNull()
  })
})
