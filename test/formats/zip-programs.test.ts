import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileUrls } from '../../src/urls.ts'
import { freshApp } from '../app.ts'
import { freshDirectory } from '../directory.ts'
import { enter } from '../enter.ts'
import { foldersByName, makeFile, makeProject } from '../make.ts'
import { readZip, windowsFault } from './zip-reader.ts'
import { tryArchive, unpack } from './zip-programs.ts'

const NAMES = [
  'Årsrapport (1024) 2025.pdf',
  'æøå ÆØÅ éü ß.pdf',
  'Referat: "møde" <1>?.pdf',
  'Budget.pdf',
  'BUDGET.PDF',
  'budget.pdf',
  'con.pdf',
  'punktum.',
  'uden ending',
  '財務 📊.xlsx',
  `${'å'.repeat(120)}.pdf`,
]

it('unzip, 7z, Python and Windows accept an archive, and find the same names and bytes in it', async () => {
  const test = await freshApp({ hasJobs: false })
  const { visitor } = await enter(test, 'employee')
  const project = (await makeProject(test.db, { name: 'K/S Ærø' })).id
  const { Budget, Diverse } = await foldersByName(test.db, project)
  const createdAt = new Date('2025-07-01T10:20:30Z')
  for (const name of NAMES)
    for (const folder of [Budget!, Diverse!])
      await makeFile(test, folder, { name, bytes: `${name} i ${folder}`, createdAt })
  await makeFile(test, Budget!, { name: 'tom.txt', bytes: '' })
  const { rawPayload } = await visitor.get(fileUrls.zip({ project }))
  const directory = await freshDirectory()
  const archive = join(directory, 'arkiv.zip')
  writeFileSync(archive, rawPayload)

  const entries = readZip(rawPayload)
  const names = entries.map(({ name }) => name)
  expect(names).toHaveLength(2 * NAMES.length + 1)
  expect(tryArchive(archive)).toEqual(names)
  expect(names.map(windowsFault).filter((fault) => fault !== null)).toEqual([])
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)

  const unpacked = join(directory, 'ud')
  unpack(archive, unpacked)
  expect(readdirSync(unpacked)).toEqual(['Budget', 'Diverse'])
  for (const { name, bytes } of entries) expect(readFileSync(join(unpacked, name)).equals(bytes)).toBe(true)
  const { mode, mtime } = statSync(join(unpacked, names[0]!))
  expect([mode & 0o777, mtime]).toEqual([0o644, createdAt])
})
