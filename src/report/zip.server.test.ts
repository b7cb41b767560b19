import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshDirectory } from '../../test/directory.ts'
import { unzip } from '../../test/formats/unzip.ts'
import { zip } from './zip.server.ts'

const PARTS = [
  { name: 'a.xml', text: '' },
  { name: 'mappe/Årsrapport æøå.xml', text: 'Ærø '.repeat(100_000) },
  { name: 'b', text: 'x' },
]

it('a ZIP file contains every part, and has the same bytes each time', async () => {
  const bytes = await zip(PARTS)
  expect(unzip(bytes)).toEqual(Object.fromEntries(PARTS.map(({ name, text }) => [name, text])))
  expect(bytes.length).toBeLessThan(5000)
  expect(await zip(PARTS)).toEqual(bytes)
  expect(unzip(await zip([]))).toEqual({})
})

const python = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))'

it.skipIf(spawnSync('python3', ['--version']).status !== 0)('a ZIP file can be read by Python', async () => {
  const file = join(await freshDirectory(), 'a.zip')
  writeFileSync(file, await zip(PARTS))
  expect(spawnSync('python3', ['-c', python, file], { encoding: 'utf8' }).stdout).toBe('None 3\n')
})
