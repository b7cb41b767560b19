import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { FIRST_FOLDERS } from '../../test/office/first-folders.ts'
import { papersFor, type Paper } from './papers.ts'

const SUB_NAMES: Record<string, string[]> = { Årsrapport: ['Årsrapport 2020', 'Årsrapport KS'] }

const PROJECTS: [number: string, name: string][] = [
  ['1024', 'K/S Nordhavn Kontorhus'],
  ['1031', 'K/S Vindpark Nørrekær'],
  ['1042', 'K/S Østerbro Ejendomme'],
  ['1058', 'K/S Logistik Taulov'],
  ['1063', 'K/S Aarhus Å Boliger'],
  ['1077', 'K/S Tankskib Ærø'],
  ['1085', 'K/S Hotel Skagen Fyr'],
  ['1090', 'K/S Solpark Lolland'],
  ['1102', 'K/S Butikscenter Ølby'],
  ['1116', 'K/S Seniorboliger Hjørring'],
  ['1121', 'K/S Retail Park Herning'],
  ['1134', 'K/S Åboulevarden 12'],
  ['987', 'K/S Containerskib Zealand'],
  ['2014', 'K/S Vindmøller Samsø 2014'],
  ['4711', 'K/S Noget Andet'], // not in the office
]

const make = () => PROJECTS.map(([number, name]) => papersFor({ number, name, folders: FIRST_FOLDERS }))
const all = make()
const papers = all.flat()
const inFolder = (folder: string) => all[0]!.filter((paper) => paper.folder === folder)

function hashOf(list: Paper[]): string {
  const hash = createHash('sha256')
  for (const { folder, name, bytes, createdAt } of list) {
    hash.update(JSON.stringify([folder, name, createdAt])).update(bytes)
  }
  return hash.digest('hex')
}

describe('the office', () => {
  it('the demo office is the same every time', () => {
    expect(hashOf(make().flat())).toBe(hashOf(papers))
  })

  it('the demo office has some hundred papers, and none in a folder that a project lacks', () => {
    expect(papers.length).toBeGreaterThan(500)
    expect(papers.length).toBeLessThan(750)
    expect(
      papersFor({ number: '1024', name: 'K/S Nordhavn Kontorhus', folders: ['Budget', 'Andet'] }),
    ).toEqual(inFolder('Budget'))
  })

  it.each(PROJECTS.map(([number], index) => [number, all[index]!] as const))(
    'names the papers of %s by the convention, each differently',
    (number, list) => {
      for (const { folder, name } of list) {
        const texts = [folder, ...(SUB_NAMES[folder] ?? [])]
        expect(texts.some((text) => name.startsWith(`${text} (${number}) `))).toBe(true)
        expect(name).toMatch(/\) \S.*\S\.(pdf|png|txt|csv)$/)
        expect(name).not.toMatch(/[/\\]/)
        expect(name).toBe(name.normalize('NFC').replaceAll(/\s+/g, ' ').trim())
      }
      expect(new Set(list.map(({ folder, name }) => `${folder}: ${name}`)).size).toBe(list.length)
    },
  )

  it('the demo office has real PDFs, all of them small', () => {
    const pdfs = papers.filter(({ name }) => name.endsWith('.pdf'))
    expect(papers.length - pdfs.length).toBe(3)
    for (const { bytes } of pdfs) {
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
      expect(bytes.length).toBeLessThan(10_000)
    }
  })

  it('demo papers were added on working days, in office hours, until today', () => {
    for (const { createdAt } of papers) {
      expect(createdAt.getTime()).toBeGreaterThan(Date.UTC(2011, 0, 1))
      expect(createdAt.getTime()).toBeLessThan(Date.UTC(2026, 10, 10))
      expect([1, 2, 3, 4, 5]).toContain(createdAt.getUTCDay())
      const hour = Number(
        createdAt.toLocaleString('en-GB', { timeZone: 'Europe/Copenhagen', hour: '2-digit', hour12: false }),
      )
      expect(hour).toBeGreaterThanOrEqual(8)
      expect(hour).toBeLessThan(16)
    }
  })

  it('the newest demo papers come first', () => {
    for (const list of all) {
      for (const folder of FIRST_FOLDERS) {
        const times = list
          .filter((paper) => paper.folder === folder)
          .map(({ createdAt }) => createdAt.getTime())
        expect(times).toEqual(times.toSorted((a, b) => b - a))
      }
    }
  })

  it('the demo leaves some folders empty and fills most', () => {
    const counts = all
      .slice(1)
      .flatMap((list) => FIRST_FOLDERS.map((of) => list.filter(({ folder }) => folder === of).length))
    expect(Math.max(...counts)).toBeLessThanOrEqual(8)
    const empty = counts.filter((count) => count === 0).length
    expect(empty).toBeGreaterThan(10)
    expect(empty).toBeLessThan(counts.length / 2)
  })
})

describe('1024', () => {
  it('project 1024 has 120 contracts, no valuation, and five to a dozen of everything else', () => {
    expect(inFolder('Lejekontrakter')).toHaveLength(120)
    expect(inFolder('Vurderinger')).toHaveLength(0)
    for (const folder of FIRST_FOLDERS.filter(
      (name) => name !== 'Lejekontrakter' && name !== 'Vurderinger',
    )) {
      expect(inFolder(folder).length).toBeGreaterThan(5)
      expect(inFolder(folder).length).toBeLessThanOrEqual(12)
    }
  })

  it.each([
    'Årsrapport (1024) 2023.pdf',
    'Årsrapport 2020 (1024) endelig.pdf',
    'Årsrapport KS (1024) 2021 endelig.pdf',
    'Kvartalsrapport (1024) Q3 2024.pdf',
    'Generalforsamling (1024) Referat 14. maj 2024.pdf',
    'Diverse (1024) 100% #1 + bilag?.pdf',
  ])('project 1024 has %s', (name) => {
    expect(all[0]!.map((paper) => paper.name)).toContain(name)
  })

  it('project 1024 has a picture', () => {
    const { bytes } = inFolder('Diverse').find(({ name }) => name.endsWith('.png'))!
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  })

  it('project 1024 has texts in UTF-8', () => {
    const texts = inFolder('Diverse').filter(({ name }) => /\.(txt|csv)$/.test(name))
    expect(texts).toHaveLength(2)
    for (const { bytes } of texts) expect(bytes.toString('utf8')).toMatch(/^[^\ufffd]*[æøå][^\ufffd]*$/)
  })
})

describe('the figures', () => {
  it('the figures of a quarter are the year to date without the quarters before', () => {
    const [first, second] = ['Q1', 'Q2'].map((quarter) => rowOf(`Kvartalsrapport (1024) ${quarter} 2025.pdf`))
    expect(first![0]).toBe(first![1])
    expect(first![1]! + second![0]!).toBe(second![1])
  })
})

/** The figures of the last row of a paper's table. */
function rowOf(name: string): number[] {
  const file = all[0]!.find((paper) => paper.name === name)!.bytes.toString('latin1')
  const figures = file.slice(file.indexOf('(Resultat f\xf8r renter)')).matchAll(/\((-?[\d.]+)\) Tj/g)
  return [...figures].slice(0, 3).map(([, figure]) => Number(figure!.replaceAll('.', '')))
}
