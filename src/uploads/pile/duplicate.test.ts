import { expect, it } from 'vitest'
import { findingsOf, findingsText, type Duplicate, type Finding } from './duplicate.ts'
import type { Target } from './pile.ts'
import { newUpload, type Upload } from '../transport/upload.ts'

const upload = (id: string, name: string, more: Partial<Upload> = {}): Upload => ({
  ...newUpload(new File(['x'], name), name, { bytes: 9, files: 9 }),
  id,
  ...more,
})
const known = (more: Partial<Duplicate>): Duplicate => ({
  same_name: false,
  replaces: null,
  same_bytes: null,
  sha256: null,
  ...more,
})

const folder = { id: 1, name: 'Budget', visible_to_investors: true }

function find(
  uploads: Upload[],
  found: Record<string, Duplicate>,
  target: Target = { folder },
): Record<string, Finding> {
  const group = { key: 'a', target, uploads, bytes: 1 }
  return Object.fromEntries(findingsOf([group], new Map(Object.entries(found))))
}

it.each<[Partial<Duplicate>, Pick<Finding, 'text' | 'why' | 'isSkipped'> | undefined]>([
  [{}, undefined],
  [{ sha256: 'x' }, undefined],
  [
    { same_name: true },
    {
      text: 'Der ligger en fil med samme navn i mappen.',
      why: 'Der ligger en fil med samme navn i Budget.',
      isSkipped: false,
    },
  ],
  [
    { same_name: true, sha256: 'x' },
    {
      text: 'Der ligger en anden fil med samme navn i mappen.',
      why: 'Der ligger en anden fil med samme navn i Budget.',
      isSkipped: false,
    },
  ],
  [
    { same_name: true, same_bytes: 'a.pdf', sha256: 'x' },
    {
      text: 'Filen ligger allerede i mappen.',
      why: 'Filen ligger der allerede: ”a.pdf” i Budget.',
      isSkipped: true,
    },
  ],
  [
    { same_name: true, same_bytes: 'b.pdf', sha256: 'x' },
    {
      text: 'Filen ligger allerede i mappen som ”b.pdf”.',
      why: 'Filen ligger der allerede: ”b.pdf” i Budget.',
      isSkipped: true,
    },
  ],
  [
    { same_bytes: 'b.pdf', sha256: 'x' },
    {
      text: 'Filen ligger allerede i mappen som ”b.pdf”.',
      why: 'Filen ligger der allerede: ”b.pdf” i Budget.',
      isSkipped: true,
    },
  ],
])('%j gives %j', (found, finding) => {
  const said = find([upload('u', 'a.pdf')], { u: known(found) }).u
  if (finding) expect(said).toMatchObject(finding)
  else expect(said).toBeUndefined()
})

it.each<[Partial<Duplicate>, Upload['choice'], boolean]>([
  [{ same_bytes: 'a.pdf', sha256: 'x' }, null, true],
  [{ same_bytes: 'a.pdf', sha256: 'x' }, 'keep', false],
  [{ same_bytes: 'a.pdf', sha256: 'x' }, 'skip', true],
  [{ same_name: true, sha256: 'x' }, null, false],
  [{ same_name: true, sha256: 'x' }, 'skip', true],
])('%j with the choice %j is skipped: %j', (found, choice, isSkipped) => {
  expect(find([upload('u', 'a.pdf', { choice })], { u: known(found) }).u?.isSkipped).toBe(isSkipped)
})

it('a file without a duplicate is sent, whatever was chosen before', () => {
  expect(find([upload('u', 'a.pdf', { choice: 'skip' })], { u: known({ sha256: 'x' }) })).toEqual({})
})

it('the second of two equal files in a pile gets a notice; the same bytes are skipped', () => {
  const found = {
    a: known({ sha256: 'x' }),
    b: known({ sha256: 'y' }),
    c: known({ sha256: 'x' }),
    d: known({ sha256: 'x' }),
  }
  const said = find([upload('a', 'a'), upload('b', 'a'), upload('c', 'a'), upload('d', 'd')], found)
  expect(Object.entries(said).map(([id, { text, isSkipped }]) => [id, text, isSkipped])).toEqual([
    ['b', 'En anden af filerne har samme navn.', false],
    ['c', 'Filen er med to gange.', true],
    ['d', 'Filen har samme indhold som ”a”.', true],
  ])
})

it('a skipped file does not count as the first of two', () => {
  const there = known({ same_bytes: 'x', sha256: 'x' })
  const said = find([upload('a', 'a'), upload('b', 'a')], { a: there, b: known({ sha256: 'y' }) })
  expect(Object.keys(said)).toEqual(['a'])
})

it.each<[Target, string]>([
  [{ user: { id: 1, name: 'Bo' } }, 'Filen ligger allerede hos Bo.'],
  [{}, 'Filen ligger allerede blandt dine filer.'],
])('names the place of %j: %s', (target, text) => {
  const found = { u: known({ same_name: true, same_bytes: 'a.pdf', sha256: 'x' }) }
  expect(find([upload('u', 'a.pdf')], found, target).u!.text).toBe(text)
})

it('the summary counts skipped files and files with only the same name', () => {
  const found = {
    a: known({ same_bytes: 'a', sha256: 'x' }),
    b: known({ same_name: true }),
    c: known({ same_bytes: 'c', sha256: 'z' }),
  }
  const uploads = [upload('a', 'a'), upload('b', 'b'), upload('c', 'c')]
  const findings = new Map(Object.entries(find(uploads, found)))
  expect(findingsText(findings)).toBe(
    '2 filer ligger der allerede og springes over. 1 fil har samme navn som en anden fil.',
  )
  const kept = new Map(Object.entries(find([upload('a', 'a', { choice: 'keep' })], found)))
  expect(findingsText(kept)).toBe('1 fil ligger der allerede og gemmes igen.')
})

it.each([
  'Budget (1024) 2025 kopi.pdf',
  'Budget (1024) 2025 - Copy.pdf',
  'Budget (1024) 2025 (1).pdf',
  'Kopi af Budget (1024) 2025.pdf',
])('of two equal files the one with its proper name is kept, not %s', (copy) => {
  const own = 'Budget (1024) 2025.pdf'
  const same = known({ sha256: 'x' })
  for (const uploads of [
    [upload('copy', copy), upload('own', own)],
    [upload('own', own), upload('copy', copy)],
  ]) {
    const findings = find(uploads, { own: same, copy: same })
    expect(findings.own).toBeUndefined()
    expect(findings.copy).toMatchObject({ isSkipped: true, text: `Filen har samme indhold som ”${own}”.` })
  }
})
