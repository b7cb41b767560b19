import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import type { Role } from '../rights.ts'
import { chaptersFor, type Chapter } from './manual.ts'
import { parseManual } from './parse-manual.server.ts'
import { searchManual } from './search-manual.ts'

let manual: Chapter[]
beforeAll(async () => {
  manual = parseManual(await readFile(new URL('../../docs/brugervejledning.md', import.meta.url), 'utf8'))
})

const find = (role: Role | null, q: string) => searchManual(chaptersFor(manual, role), q)
const firstOf = (role: Role | null, q: string) => find(role, q).found[0]?.href

it.each<[Role | null, string, string]>([
  ['employee', 'slet en fil', '/help/ret-filer#slet-en-fil'],
  ['employee', 'slettede filer', '/help/ret-filer#slet-en-fil'],
  ['employee', 'papirkurven', '/help/ret-filer#gendan-fra-papirkurven'],
  ['employee', 'omdøbe', '/help/ret-filer#omdoeb-en-fil'],
  ['employee', 'OMDOEB', '/help/ret-filer#omdoeb-en-fil'],
  ['employee', 'rækkefølge', '/help/ret-filer#ret-raekkefoelgen'],
  ['employee', 'udsendelserne', '/help/udsendelser'],
  ['employee', 'trække tilbage', '/help/udsendelser#traek-en-udsendelse-tilbage'],
  ['administrator', 'opret person', '/help/personer#opret-en-person'],
  ['administrator', 'webhook', '/help/webhooks'],
  ['investor', 'årspakke', '/help/aarspakke'],
  ['investor', 'aarspakken', '/help/aarspakke'],
  ['investor', 'kodeord', '/help/log-ind#glemt-adgangskode'],
  ['investor', 'send filer', '/help/mine-filer#send-filer-til-kontoret'],
  ['investor', 'download fil', '/help/filer#aabn-og-hent-en-fil'],
  ['adviser', 'på vegne af', '/help/adgang-for-andre#se-paa-vegne-af-andre'],
  ['auditor', 'zip', '/help/filer#hent-flere-filer-som-zip'],
  [null, 'glemt adgangskode', '/help/log-ind#glemt-adgangskode'],
  ['employee', '"fortryd hele uploaden"', '/help/udsendelser#ret-eller-fortryd-en-udsendelse'],
])('%s who searches for %s finds %s first', (role, q, href) => {
  expect(firstOf(role, q)).toBe(href)
})

it('marks the words in the heading and in their context', () => {
  const [first] = find('employee', 'papirkurven').found
  const hits = (pieces: { text: string; isHit: boolean }[]) =>
    pieces.filter(({ isHit }) => isHit).map(({ text }) => text)
  expect(first?.chapter).toBe('Ret filer')
  expect(hits(first!.title)).toEqual(['papirkurven'])
  expect(hits(first!.context)).toEqual(['Papirkurv'])
})

it('finds nothing in sections that the reader cannot read', () => {
  expect(find('investor', 'webhook').found).toEqual([])
  expect(find(null, 'rapport').found).toEqual([])
})

it('corrects a wrong letter, and says so', () => {
  const { found, corrected } = find('investor', 'totrinsloggin')
  expect(corrected).toBe('totrinslogin')
  expect(found[0]?.href).toBe('/help/min-profil#slaa-totrinslogin-til')
  expect(find('investor', 'totrinslogin').corrected).toBeNull()
})

it.each(['', '   ', '?!', '""', 'hvalfangst', 'fil hvalfangst', '"fil slet en"'])(
  'finds nothing for %j',
  (q) => {
    expect(find('administrator', q).found).toEqual([])
  },
)

it('reads only the beginning of a long question, and answers quickly', () => {
  const began = performance.now()
  for (let round = 0; round < 5; round++) {
    expect(find('administrator', 'adgangskode '.repeat(100_000)).found.length).toBeGreaterThan(0)
    find('administrator', 'aeoeaa'.repeat(100_000))
    find('administrator', Array.from({ length: 60 }, (_, index) => `fi${index}`).join(' '))
  }
  // It takes milliseconds. The limit only ends a hang.
  expect(performance.now() - began).toBeLessThan(60_000)
})
