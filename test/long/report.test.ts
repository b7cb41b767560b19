import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REPORTS } from '../../demo/reports.ts'
import { spreadsheetOf } from '../../src/report/spreadsheet.ts'
import { zip } from '../../src/report/zip.server.ts'
import { freshApp } from '../app.ts'
import { freshDirectory } from '../directory.ts'
import { enter } from '../enter.ts'
import { makeReport } from '../make.ts'

const PLACES = ['/usr/bin/soffice', '/Applications/LibreOffice.app/Contents/MacOS/soffice']

function findOffice(): string | null {
  const find = () => PLACES.find((place) => existsSync(place))
  if (!find() && process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Debian’s LibreOffice for the tests …')
    const apt = (...args: string[]) =>
      spawnSync('apt-get', args, {
        stdio: 'ignore',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    apt('update')
    apt('install', '-y', '--no-install-recommends', 'libreoffice-calc')
  }
  return find() ?? null
}

/** CSV options: semicolon, quotes, UTF-8, from the first row; with displayed values, stored values or formulas. */
const CSV = {
  shown: '59,34,76,1,,0,false,true,true,false',
  kept: '59,34,76,1,,0,false,true,false,false',
  formulas: '59,34,76,1,,0,false,true,false,true',
}

/** Settings for a Danish LibreOffice. */
const DANISH = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>da-DK</value></prop></item></oor:items>`

async function readByOffice(xlsx: Buffer, how: keyof typeof CSV): Promise<string[]> {
  const directory = await freshDirectory()
  mkdirSync(join(directory, 'profile/user'), { recursive: true })
  writeFileSync(join(directory, 'profile/user/registrymodifications.xcu'), DANISH)
  writeFileSync(join(directory, 'a.xlsx'), xlsx)
  const { status, stderr } = spawnSync(
    findOffice()!,
    [
      `-env:UserInstallation=file://${directory}/profile`,
      '--headless',
      '--convert-to',
      `csv:Text - txt - csv (StarCalc):${CSV[how]}`,
      '--outdir',
      directory,
      join(directory, 'a.xlsx'),
    ],
    { encoding: 'utf8', timeout: 120_000 },
  )
  expect([status, stderr]).toEqual([0, expect.any(String) as string])
  return readFileSync(join(directory, 'a.csv'), 'utf8').trimEnd().split('\n')
}

it('LibreOffice reads the report as a spreadsheet', { timeout: 900_000 }, async (context) => {
  if (!findOffice()) return context.skip('there is no LibreOffice')
  const test = await freshApp()
  const { id, visitor } = await enter(test, 'investor')
  const trick = { name: '=HYPERLINK("x")', cvr: '00000019', share: 33.3333, equity: 1_000_001 }
  await makeReport(test.db, id, [...REPORTS['Søren Kjærgaard']!, trick, { name: 'Å _x0041_ & <b> 😀' }])
  const { rawPayload } = await visitor.get(`/users/${id}/report.xlsx`)

  const shown = await readByOffice(rawPayload, 'shown')
  expect(shown[0]).toBe(
    'Selskab;CVR-nr.;Ejerandel %;Regnskabsår;Indskud;Resthæftelse;Egenkapital;Gæld;Årets resultat;Andel af egenkapital;Andel af gæld;Andel af årets resultat',
  )
  expect(shown[4]).toBe(
    'K/S Skibsinvest Ærø Maritime;33418388;12,50%;2025;1.250.000;2.000.000;-1.845.000;37.600.000;-2.310.000;-230.625;4.700.000;-288.750',
  )
  expect(shown[9]).toMatch(/^"=HYPERLINK\(""x""\)";00000019;33,3333%;/)
  expect(shown[10]).toBe('Å _x0041_ & <b> 😀;;;;;;;;;;;')

  const kept = await readByOffice(rawPayload, 'kept')
  const figures = (row: string) => row.split(';').slice(4).map(Number)
  expect(figures(kept[4]!)).toEqual([
    1_250_000, 2_000_000, -1_845_000, 37_600_000, -2_310_000, -230_625, 4_700_000, -288_750,
  ])
  const sums = kept
    .slice(1, -1)
    .map((row) => row.replace('"=HYPERLINK(""x"")"', 'x'))
    .map(figures)
    .reduce((total, row) => total.map((sum, index) => sum + row[index]!))
  expect(figures(kept.at(-1)!)).toEqual(sums)
  const formulas = await readByOffice(rawPayload, 'formulas')
  expect(formulas.at(-1)).toContain('=SUM(E2:E11);=SUM(F2:F11);=SUM(G2:G11)')

  // With a thousand rows too.
  const many = Array.from({ length: 1000 }, () => ({
    ...EMPTY,
    name: 'K/S Ø',
    share: 50,
    debt: 999_999_999_999,
  }))
  const rows = await readByOffice(await zip(spreadsheetOf('Ø', many)), 'kept')
  expect([rows.length, rows.at(-1)]).toEqual([1002, 'Sum;;;;0;0;0;999999999999000;0;0;500000000000000;0'])
  return undefined
})

const EMPTY = { cvr: null, year: null, contribution: null, liability: null, equity: null, result: null }
