import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { CLOCK_FAULTS, DISK_FAULTS, mailsLeave, STORE_FAULTS, type Fault } from '../faults/faults.ts'
import { judgeAnswer } from '../faults/meter.ts'
import { Office } from '../faults/office.ts'
import { findFakeTime, openClockPlace, openDiskPlace, openStorePlace, type Place } from '../faults/place.ts'
import { faultsOf, machine, mergeTables, tableOf, type NotRun, type Row } from '../faults/report.ts'
import { tryFault } from '../faults/try-fault.ts'
import { ROOT } from '../start/processes.ts'

/** The faults to try, by name; all of them by default. */
const WANTED = process.env.FAULTS?.split(' ').filter(Boolean) ?? []
const REPORT = process.env.FAULTS_REPORT
const SEED = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000_000)

const rows: Row[] = []
const notRun: NotRun[] = []

const wantedOf = (faults: Fault[]) =>
  WANTED.length === 0 ? faults : faults.filter(({ name }) => name === 'calm' || WANTED.includes(name))
const isWanted = (faults: Fault[]) =>
  wantedOf(faults).some(({ name }) => WANTED.length === 0 || WANTED.includes(name))

async function tryAll(place: Place, faults: Fault[]): Promise<void> {
  const office = await Office.open(place, SEED)
  const own: Row[] = []
  for (const fault of wantedOf(faults)) {
    if (fault.needsRoot && !place.disk) {
      notRun.push({ ...fault, why: 'needs root' })
      console.warn(`NOT RUN: ${fault.name} needs root`)
      continue
    }
    const began = performance.now()
    const row = await tryFault(place, office, fault, own[0]?.use ?? null)
    own.push(row)
    rows.push(row)
    console.log(
      tableOf([row], []).split('\n').at(-1),
      row.reasons,
      `${Math.round((performance.now() - began) / 1000)} s`,
    )
    faultsOf([row]).forEach((each) => console.log(`  ${each}`))
  }
  const mails = await mailsLeave(place, office)
  console.log(
    'acknowledged:',
    office.clients.map(({ counts }) => counts),
  )
  expect([...faultsOf(own), ...mails]).toEqual([])
}

const LIMIT = { timeout: 1_800_000 }

it.runIf(isWanted(DISK_FAULTS))('an office on a disk, with its own PostgreSQL', LIMIT, async () => {
  console.log(`faults: FAULTS_SEED=${SEED}`)
  await tryAll(await openDiskPlace(), DISK_FAULTS)
})

it.runIf(isWanted(STORE_FAULTS))('an office on S3 and a PostgreSQL in the network', LIMIT, async () => {
  await tryAll(await openStorePlace(), STORE_FAULTS)
})

it.runIf(isWanted(CLOCK_FAULTS))('an office whose clock jumps', LIMIT, async () => {
  if (findFakeTime()) return tryAll(await openClockPlace(), CLOCK_FAULTS)
  for (const fault of CLOCK_FAULTS) notRun.push({ ...fault, why: 'needs libfaketime (Debian: faketime)' })
  console.warn('NOT RUN: the clock needs libfaketime (Debian: faketime)')
})

it('every planned fault was tried', () => {
  const isExcused = process.env.FAULTS_SKIP_ROOT !== undefined
  expect(isExcused ? [] : notRun.map(({ name, why }) => `${name}: ${why}`)).toEqual([])
})

const HTML = { 'content-type': 'text/html; charset=utf-8' }
it.each([
  [200, {}, 'Error: x', null],
  [503, {}, '{"message":"Databasen svarer ikke lige nu."}', null],
  [503, HTML, '<html lang="da">Databasen svarer ikke lige nu.', null],
  [503, HTML, '<html>Databasen svarer ikke lige nu.', 'no Danish page'],
  [503, {}, 'Service Unavailable', 'nothing in Danish'],
  [507, {}, '{"message":"Der er ikke mere plads: ENOSPC"}', 'its inside'],
  [500, {}, '{"message":"Noget gik galt."}', '500'],
])('judges the answer %i %o %s', (status, headers, body, complaint) => {
  const judged = judgeAnswer({ status, headers, body: Buffer.from(body) })
  if (complaint === null) expect(judged).toBe(null)
  else expect(judged).toContain(complaint)
})

const [BEGIN, END] = ['<!-- table -->', '<!-- end of table -->']

afterAll(() => {
  if (rows.length === 0) return
  const table = tableOf(rows, notRun)
  console.log(`\n${table}\n`)
  if (REPORT === undefined) return
  const file = join(ROOT, REPORT)
  const day = new Date().toISOString().slice(0, 10)
  const [before, rest] = readFileSync(file, 'utf8').split(BEGIN)
  const [older, after] = rest!.split(END)
  const all = mergeTables(WANTED.length > 0 ? older! : '', table, [
    ...DISK_FAULTS,
    ...STORE_FAULTS,
    ...CLOCK_FAULTS,
  ])
  writeFileSync(file, `${before}${BEGIN}\n\n${day}, ${machine()}.\n\n${all}\n\n${END}${after}`)
})
